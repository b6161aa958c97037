// Candidates depend on the code: variables and procedures in reach, names of a module, components
// of a type, derived types, modules. Names that flang made, and those that nobody declared, are
// none.
#include "frontend/name_suggestions.h"
#include "base/module_packages.h"
#include "base/source_text.h"
#include "flang/Semantics/scope.h"
#include "flang/Semantics/symbol.h"
#include "flang/Semantics/tools.h"
#include "frontend/flang_versions.h"
#include "frontend/lenient/kernel_interfaces.h"
#include <algorithm>
#include <cctype>
#include <optional>

namespace cufc {
namespace {

using namespace Fortran;
using semantics::Scope;
using semantics::Symbol;
using Names = std::vector<std::string>;

// Modules that come with the compiler, beside those of the file.
constexpr const char *knownModules[] = {"cudafor",         "cudadevice",      "libm",
                                        "iso_c_binding",   "iso_fortran_env", "ieee_arithmetic",
                                        "ieee_exceptions", "ieee_features",   "omp_lib"};

bool isDeclared(const Symbol &symbol) {
  if (symbol.test(Symbol::Flag::Implicit) || symbol.test(Symbol::Flag::CompilerCreated))
    return false;
  const Symbol &ultimate = symbol.GetUltimate();
  if (const auto *procedure = ultimate.detailsIf<semantics::ProcEntityDetails>()) // not only called
    return procedure->procInterface() || ultimate.attrs().test(semantics::Attr::EXTERNAL);
  return ultimate.GetType() || ultimate.has<semantics::SubprogramDetails>() ||
         ultimate.has<semantics::GenericDetails>();
}

bool isType(const Symbol &symbol) {
  const Symbol &ultimate = symbol.GetUltimate();
  if (const auto *generic = ultimate.detailsIf<semantics::GenericDetails>())
    return generic->derivedType() != nullptr;
  return ultimate.has<semantics::DerivedTypeDetails>() && ultimate.scope();
}

template <typename Condition>
void collect(const Scope &scope, Condition wanted, Names &names) {
  for (const auto &[name, symbol] : scope)
    if (wanted(*symbol) && std::isalpha(static_cast<unsigned char>(name[0])))
      names.push_back(name.ToString());
}

// Procedures of device code that a file does not mention are in the scope of their module alone.
template <typename Condition>
Names inReach(const Scope *scope, const FlangProgram &program, Condition wanted) {
  Names names;
  if (scope && semantics::FindCUDADeviceContext(scope))
    collect(cudaDeviceScope(*program.context), wanted, names);
  for (; scope; scope = scope->IsTopLevel() ? nullptr : &scope->parent())
    collect(*scope, wanted, names);
  return names;
}

const Scope *moduleNamed(const FlangProgram &program, const std::string &name) {
  for (const Scope &scope : program.context->globalScope().children())
    if (scope.kind() == Scope::Kind::Module && scope.GetName() &&
        scope.GetName()->ToString() == name)
      return &scope;
  for (const Scope &scope : program.context->intrinsicModulesScope().children())
    if (scope.GetName() && scope.GetName()->ToString() == name)
      return &scope;
  return nullptr;
}

// The text between the n-th pair of apostrophes, from 0.
std::string quoted(const std::string &text, int number) {
  size_t end = std::string::npos, begin = 0;
  for (int i = 0; i <= number; ++i) {
    begin = text.find('\'', end + 1);
    end = begin == std::string::npos ? begin : text.find('\'', begin + 1);
    if (end == std::string::npos)
      return {};
  }
  return text.substr(begin + 1, end - begin - 1);
}

// Not the one that the USE stands in. A name that goes on behind another is a module of its own,
// not a misspelling: cusparse and cusparseex.
Names modules(const FlangProgram &program, const Scope *around, const std::string &wanted) {
  Names all(std::begin(knownModules), std::end(knownModules)), names;
  for (const Scope &scope : program.context->globalScope().children())
    if (scope.kind() == Scope::Kind::Module && scope.GetName())
      all.push_back(scope.GetName()->ToString());
  std::string own;
  for (; around && !around->IsTopLevel(); around = &around->parent())
    if (around->kind() == Scope::Kind::Module && around->GetName())
      own = around->GetName()->ToString();
  for (const std::string &name : all) {
    bool longer = name.rfind(wanted, 0) == 0 || wanted.rfind(name, 0) == 0;
    size_t more = std::max(name.size(), wanted.size()) - std::min(name.size(), wanted.size());
    if (name != own && !(longer && more > 1))
      names.push_back(name);
  }
  return names;
}

// Components of a type and of those that it extends.
Names components(const Scope *scope, const std::string &type) {
  Names names;
  const Symbol *symbol = scope ? scope->FindSymbol(parser::CharBlock(type)) : nullptr;
  if (!symbol)
    return names;
  symbol = &symbol->GetUltimate();
  if (const auto *generic = symbol->detailsIf<semantics::GenericDetails>())
    symbol = generic->derivedType();
  for (const Scope *inner = symbol ? symbol->scope() : nullptr; inner;
       inner = inner->GetDerivedTypeParent())
    collect(*inner, [](const Symbol &) { return true; }, names);
  return names;
}

Names candidates(const Diagnostic &diagnostic, const Scope *scope, const FlangProgram &program) {
  const std::string &text = diagnostic.message;
  if (diagnostic.code == "CUF1101" || diagnostic.code == "CUF1108")
    return inReach(scope, program, isDeclared);
  if (diagnostic.code == "CUF1103")
    return modules(program, scope, lowerCase(quoted(text, 0)));
  if (diagnostic.code == "CUF1106")
    return inReach(scope, program, isType);
  if (diagnostic.code == "CUF0225")
    return inReach(scope, program, isKernelName);
  Names names;
  if (diagnostic.code == "CUF1104") {
    if (const Scope *module = moduleNamed(program, quoted(text, 0)))
      collect(
          *module, [](const Symbol &s) { return !s.attrs().test(semantics::Attr::PRIVATE); },
          names);
  } else if (diagnostic.code == "CUF1107") {
    names = quoted(text, 0) == "dim3" ? Names{"x", "y", "z"} : components(scope, quoted(text, 0));
  }
  return names;
}

std::optional<std::string> nearest(const std::string &name, const Names &names, size_t share) {
  size_t bestDistance = std::max<size_t>(1, name.size() / share) + 1;
  std::optional<std::string> best;
  for (const std::string &candidate : names)
    if (candidate != name)
      if (size_t distance = editDistance(name, candidate);
          distance < bestDistance && distance < name.size()) {
        bestDistance = distance;
        best = candidate;
      }
  return best;
}

// Positions are compared as provenances, since flang has no way back from those to its text before
// all is analysed.
const Scope *innermost(const Scope &scope, const parser::ProvenanceRange &place,
                       const FlangProgram &program) {
  for (const Scope &child : scope.children()) {
    if (child.sourceRange().empty() || child.IsModuleFile())
      continue;
    auto range = program.cooked.GetProvenanceRange(child.sourceRange());
    if (range && range->Contains(place))
      return innermost(child, place, program);
  }
  return &scope;
}

} // namespace

const Scope *scopeAround(const FlangProgram &program, const parser::Message &message) {
  if (!program.context)
    return nullptr;
  auto place = message.GetProvenanceRange(program.cooked);
  return place ? innermost(program.context->globalScope(), *place, program) : nullptr;
}

const Scope *unitOf(const Scope *scope) {
  while (scope && !scope->IsTopLevel() && scope->kind() != Scope::Kind::Subprogram &&
         scope->kind() != Scope::Kind::MainProgram && scope->kind() != Scope::Kind::Module)
    scope = &scope->parent();
  return scope;
}

void suggestName(Diagnostic &diagnostic, const Scope *scope, const FlangProgram &program) {
  const SourceRange &range = diagnostic.range;
  if (range.line == 0 || range.endLine != range.line || !program.context)
    return;
  constexpr std::string_view builtin = "__builtin_"; // what cudafor calls its types inside
  if (size_t at = diagnostic.message.find(builtin); at != std::string::npos)
    diagnostic.message.erase(at, builtin.size());
  if (diagnostic.code == "CUF1103")
    if (std::string origin = moduleOrigin(lowerCase(quoted(diagnostic.message, 0)));
        !origin.empty()) {
      diagnostic.message += origin;
      return;
    }
  Names names = candidates(diagnostic, scope, program);
  if (names.empty())
    return;
  SourceLines lines;
  lines.add(shownPath(program.path), program.source);
  std::string_view line = lines.line(range.file, range.line);
  if (range.column < 1 || static_cast<size_t>(range.endColumn) > line.size() + 1)
    return;
  std::string name = lowerCase(line.substr(range.column - 1, range.endColumn - range.column));
  const size_t share = diagnostic.code == "CUF1103" ? 4 : 3;
  if (std::optional<std::string> meant = nearest(name, names, share)) {
    diagnostic.message += "; did you mean '" + *meant + "'?";
    diagnostic.fixes.push_back({"replace by '" + *meant + "'", {{range, *meant}}});
  }
}

} // namespace cufc
