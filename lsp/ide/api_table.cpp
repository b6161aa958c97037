// Names are found by a hash of their lower-case form; the text of hover is put together here, so
// that completion and signature help say the same.
#include "ide/api_table.h"
#include "base/source_text.h"
#include <algorithm>

namespace cufc {
namespace {

std::string row(const ApiArgument &argument, bool withIntent) {
  std::string about = argument.about;
  if (!argument.unit.empty())
    about += (about.empty() ? "" : " ") + ("(" + argument.unit + ")");
  std::string text = "| `" + argument.name + "` | " + argument.type + " | ";
  if (withIntent) {
    text += argument.intent;
    if (argument.optional)
      text += argument.intent.empty() ? "optional" : ", optional";
    text += " | ";
  }
  return text + about + " |\n";
}

std::string table(const std::vector<ApiArgument> &rows, bool arguments) {
  if (rows.empty())
    return {};
  std::string text = arguments ? "\n| argument | type | intent | |\n|---|---|---|---|\n"
                               : "\n| component | type | |\n|---|---|---|\n";
  for (const ApiArgument &argument : rows)
    text += row(argument, arguments);
  return text;
}

std::string originOf(const ApiEntry &entry) {
  if (entry.module.empty())
    return {};
  if (entry.module == "intrinsic")
    return "Intrinsic procedure of Fortran.";
  return "Module " + entry.module + ".";
}

} // namespace

bool ApiEntry::hostOnly() const { return module == "cudafor" && isProcedure(); }

bool ApiEntry::isHandedOnBy(std::string_view name) const {
  return std::find(through.begin(), through.end(), name) != through.end();
}

void ApiTable::add(ApiEntry entry) {
  byName.emplace(lowerCase(entry.name), all.size());
  all.push_back(std::move(entry));
}

std::vector<const ApiEntry *> ApiTable::findAll(std::string_view name) const {
  std::vector<size_t> rows;
  auto [begin, end] = byName.equal_range(lowerCase(name));
  for (auto place = begin; place != end; ++place)
    rows.push_back(place->second);
  std::sort(rows.begin(), rows.end());
  std::vector<const ApiEntry *> result;
  for (size_t number : rows)
    result.push_back(&all[number]);
  return result;
}

const ApiEntry *ApiTable::find(std::string_view name, std::string_view module) const {
  std::vector<const ApiEntry *> found = findAll(name);
  for (const ApiEntry *entry : found)
    if (!module.empty() && entry->module == lowerCase(module))
      return entry;
  return found.empty() ? nullptr : found.front();
}

bool ApiTable::hasModule(std::string_view name) const {
  std::vector<const ApiEntry *> found = findAll(name);
  return std::any_of(found.begin(), found.end(),
                     [](const ApiEntry *entry) { return entry->kind == ApiKind::Module; });
}

bool needsUse(const ApiEntry &entry) {
  return !entry.module.empty() && entry.module != "intrinsic" && entry.module != "cudadevice";
}

std::string headOf(const ApiEntry &entry) {
  return entry.usage.empty() ? entry.name : entry.usage.front();
}

std::string documentationOf(const ApiEntry &entry) {
  std::string text = "```cuf\n";
  for (const std::string &line : entry.usage)
    text += line + "\n";
  text += "```\n";
  if (!entry.summary.empty())
    text += entry.summary + "\n";
  text += table(entry.arguments, true) + table(entry.components, false);
  if (!entry.result.empty())
    text += "\nResult: " + entry.result + ".\n";
  if (!entry.description.empty())
    text += "\n" + entry.description + "\n";
  if (!entry.errors.empty()) {
    text += "\nErrors:";
    for (size_t i = 0; i < entry.errors.size(); ++i)
      text += (i > 0 ? ", `" : " `") + entry.errors[i] + "`";
    text += ".\n";
  }
  std::string last = originOf(entry);
  if (!entry.c.empty()) {
    last += (last.empty() ? "CUDA C: `" : " CUDA C: `") + entry.c + "`";
    last += entry.since.empty() ? "." : ", since CUDA " + entry.since + ".";
  }
  return last.empty() ? text : text + "\n" + last + "\n";
}

} // namespace cufc
