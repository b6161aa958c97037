// See names.h.
#include "foreign/names.h"
#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace cufc::foreign {
namespace {

constexpr size_t longestName = 63; // Fortran 2018, 6.2.2

// A name for what its module does not export.
std::string hiddenName(const Symbol &symbol) {
  std::string name = fmt::format("{}_of_{}", sourceName(symbol.name), sourceModule(symbol.module));
  if (name.size() <= longestName)
    return name;
  size_t hash = std::hash<std::string>{}(name);
  return fmt::format("{}_{:08x}", name.substr(0, longestName - 9), hash & 0xffffffff);
}

bool isGenerated(const std::string &name) {
  return name.starts_with("__") || name.starts_with("@");
}

bool exportsGeneric(const Module &module, const std::string &name) {
  return std::any_of(module.generics.begin(), module.generics.end(),
                     [&](const Generic &generic) { return generic.name == name; });
}

} // namespace

bool isIntrinsicModule(const std::string &name) {
  constexpr std::array<std::string_view, 5> names = {
      "iso_c_binding", "iso_fortran_env", "ieee_arithmetic", "ieee_exceptions", "ieee_features"};
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool isNeverForeign(const std::string &name) {
  constexpr std::array<std::string_view, 6> names = {"mpi",           "mpi_f08", "omp_lib",
                                                     "omp_lib_kinds", "openacc", "openacc_kinds"};
  return std::find(names.begin(), names.end(), name) != names.end() || isIntrinsicModule(name);
}

Names::Names(const Module &module, const FindModule &find) : module(module), find(find) {
  for (const auto &[name, number] : module.names)
    exported.try_emplace(number, sourceName(name));
}

bool Names::isOwn(const Symbol &symbol) const {
  std::string name = sourceModule(symbol.module);
  if (name == module.name)
    return true;
  return !isNeverForeign(name) && find(name) == nullptr;
}

std::string Names::moduleOf(const Symbol &symbol) const {
  return isOwn(symbol) ? module.name : sourceModule(symbol.module);
}

std::string Names::ownName(const Symbol &symbol) const {
  if (auto found = exported.find(symbol.number); found != exported.end())
    return found->second;
  bool inPlace = sourceModule(symbol.module) != module.name;
  return symbol.isType() || inPlace ? hiddenName(symbol) : symbol.name;
}

std::string Names::nameInModule(const Symbol &symbol) const {
  if (isOwn(symbol))
    return ownName(symbol);
  const Module *other = find(sourceModule(symbol.module));
  if (!other)
    return sourceName(symbol.name);
  for (const auto &[name, number] : other->names) {
    const Symbol *theirs = other->find(number);
    if (theirs && theirs->name == symbol.name && theirs->module == symbol.module)
      return sourceName(name);
  }
  return symbol.isType() ? hiddenName(symbol) : "";
}

std::string Names::nameOf(const Symbol &symbol) {
  if (symbol.scope != 1 && symbol.module.empty()) // a dummy argument
    return symbol.name;
  if (symbol.module == "(intrinsic)")
    return symbol.name;
  if (isGenerated(symbol.name))
    return "";
  if (isOwn(symbol))
    return ownName(symbol);
  std::string name = nameInModule(symbol);
  if (name.empty())
    return "";
  auto found = exported.find(symbol.number);
  std::string local = found != exported.end() ? found->second : hiddenName(symbol);
  if (found == exported.end())
    hiddenNames.insert(local);
  use(sourceModule(symbol.module), local, name);
  return local;
}

void Names::use(const std::string &from, const std::string &local, const std::string &name) {
  uses[from].insert(local == name ? name : local + "=>" + name);
}

bool Names::useGeneric(const std::string &from, const std::string &local, const std::string &name) {
  std::string source = sourceModule(from);
  const Module *other = find(source);
  if (!other || !exportsGeneric(*other, name))
    return false;
  use(source, local, name);
  return true;
}

void Names::useExported() {
  for (const auto &[exportedName, number] : module.names) {
    const Symbol *symbol = module.find(number);
    if (!symbol || symbol->attributes.flavor == "MODULE" || isGenerated(symbol->name) ||
        symbol->module == "(intrinsic)" || isOwn(*symbol))
      continue;
    bool generic = symbol->has("GENERIC") && !symbol->isType();
    bool intrinsic = isNeverForeign(sourceModule(symbol->module));
    std::string name = intrinsic ? sourceName(symbol->name) : nameInModule(*symbol);
    std::string local = sourceName(exportedName);
    if (generic && !intrinsic)
      useGeneric(symbol->module, local, symbol->name); // the name of a type comes with the type
    else if (!name.empty())
      use(sourceModule(symbol->module), local, name);
  }
}

std::string Names::useStatements() const {
  std::string text;
  for (const auto &[from, names] : uses)
    text += fmt::format("use{}{},only:{}\n", isIntrinsicModule(from) ? ",intrinsic::" : " ", from,
                        fmt::join(names, ","));
  return text;
}

} // namespace cufc::foreign
