// The inverse of compiler/tables/generate/api_json.py.
#include "server/api_json.h"
#include "base/files.h"
#include "server/protocol.h"
#include <mutex>

namespace cufc {
namespace {

ApiKind kindNamed(const std::string &name) {
  static const auto &kinds = *new std::map<std::string, ApiKind>{
      // the thread may outlive main
      {"function", ApiKind::Function},   {"subroutine", ApiKind::Subroutine},
      {"type", ApiKind::Type},           {"constant", ApiKind::Constant},
      {"module", ApiKind::Module},       {"variable", ApiKind::Variable},
      {"attribute", ApiKind::Attribute}, {"prefix", ApiKind::Prefix},
      {"launch", ApiKind::Launch},       {"directive", ApiKind::Directive},
      {"clause", ApiKind::Clause}};
  return kinds.at(name);
}

std::string textOf(const Json &row, const char *key) { return row.value(key, std::string()); }

std::vector<std::string> textsOf(const Json &row, const char *key) {
  return row.value(key, std::vector<std::string>());
}

std::vector<ApiArgument> argumentsOf(const Json &row, const char *key) {
  std::vector<ApiArgument> result;
  for (const Json &item : row.value(key, Json::array()))
    result.push_back({textOf(item, "name"), textOf(item, "type"), textOf(item, "intent"),
                      textOf(item, "unit"), textOf(item, "about"), item.value("optional", false)});
  return result;
}

std::vector<std::vector<int>> formsOf(const Json &row, const std::vector<ApiArgument> &arguments) {
  std::vector<std::vector<int>> result;
  for (const Json &form : row.value("forms", Json::array())) {
    result.emplace_back();
    for (const Json &name : form)
      for (size_t i = 0; i < arguments.size(); ++i)
        if (arguments[i].name == name.get<std::string>())
          result.back().push_back(static_cast<int>(i));
  }
  return result;
}

ApiEntry entryOf(const Json &row) {
  ApiEntry entry;
  entry.name = row.at("name");
  entry.kind = kindNamed(row.at("kind"));
  entry.module = textOf(row, "module");
  entry.through = textsOf(row, "through");
  entry.offered = textOf(row, "offered");
  entry.usage = textsOf(row, "usage");
  entry.summary = textOf(row, "summary");
  entry.description = textOf(row, "description");
  entry.arguments = argumentsOf(row, "arguments");
  entry.forms = formsOf(row, entry.arguments);
  entry.components = argumentsOf(row, "components");
  entry.result = textOf(row, "result");
  entry.errors = textsOf(row, "errors");
  entry.c = textOf(row, "c");
  entry.since = textOf(row, "since");
  entry.value = textOf(row, "value");
  entry.words = textsOf(row, "words");
  entry.device = row.value("device", false);
  entry.common = row.value("common", false);
  return entry;
}

// Kept until the process ends, since the thread may run until then.
struct Tables {
  std::mutex mutex;
  std::map<std::string, std::shared_future<ApiTable>> byPath;
};

Tables &tables() {
  static Tables *all = new Tables;
  return *all;
}

} // namespace

ApiTable readApiTable(const std::string &path) {
  ApiTable table;
  std::string text;
  if (!readFile(path, text))
    return table;
  try {
    const Json whole = Json::parse(text);
    for (const Json &row : whole.at("entries"))
      table.add(entryOf(row));
  } catch (const std::exception &) {
    return table; // what was read so far is of use
  }
  return table;
}

std::shared_future<ApiTable> apiTableOf(const std::string &path) {
  Tables &all = tables();
  std::lock_guard lock(all.mutex);
  std::shared_future<ApiTable> &table = all.byPath[path];
  if (!table.valid())
    table = std::async(std::launch::async, readApiTable, path).share();
  return table;
}

} // namespace cufc
