// The reply of CMake's File API (cmake-file-api(7), object kind "codemodel", version 2) in a build
// folder: for each target its sources, and how each group of them is compiled.
#include "base/files.h"
#include "project/compile_calls.h"
#include "project/json_reader.h"
#include "project/project_parts.h"
#include <algorithm>
#include <filesystem>

namespace cufc {
namespace {

namespace fs = std::filesystem;

constexpr const char *replyFolder = "/.cmake/api/v1/reply";

// The newest index; names sort by time.
std::string indexOf(const std::string &buildFolder) {
  std::error_code error;
  std::string newest;
  for (const auto &entry : fs::directory_iterator(buildFolder + replyFolder, error))
    if (std::string path = entry.path().string();
        stem(path).starts_with("index-") && path.ends_with(".json") && path > newest)
      newest = path;
  return newest;
}

JsonValue readReply(const std::string &path) {
  std::string text;
  JsonValue value;
  Diagnostics ignored; // CMake writes what it reads
  if (readFile(path, text))
    readJson(path, text, value, ignored);
  return value;
}

const std::vector<JsonValue> &itemsOf(const JsonValue &value, std::string_view name) {
  static const std::vector<JsonValue> none;
  const JsonValue *list = value.find(name);
  return list ? list->items : none;
}

std::vector<std::string> wordsOf(const JsonValue &group) {
  std::vector<std::string> words;
  for (const JsonValue &fragment : itemsOf(group, "compileCommandFragments"))
    for (std::string &word : splitCommand(fragment.string("fragment")))
      words.push_back(std::move(word));
  for (const JsonValue &define : itemsOf(group, "defines"))
    words.push_back("-D" + define.string("define"));
  for (const JsonValue &include : itemsOf(group, "includes"))
    words.push_back("-I" + include.string("path"));
  return words;
}

void addTarget(const JsonValue &target, const JsonValue &model, CompileCalls &calls) {
  const JsonValue *paths = model.find("paths");
  const std::vector<JsonValue> &groups = itemsOf(target, "compileGroups");
  if (!paths)
    return;
  for (const JsonValue &source : itemsOf(target, "sources")) {
    if (!source.find("compileGroupIndex"))
      continue;
    auto number = static_cast<size_t>(source.integer("compileGroupIndex"));
    if (number < groups.size() && groups[number].string("language") == "Fortran")
      calls.add(paths->string("build"), wordsOf(groups[number]),
                absolutePath(source.string("path"), paths->string("source")));
  }
}

} // namespace

std::vector<std::string> cmakeBuildFolders(const std::string &folder) {
  std::error_code error;
  std::vector<std::string> found;
  auto take = [&](const std::string &path) {
    std::string cache;
    if (readFile(path + "/CMakeCache.txt", cache) &&
        cache.find("\nCMAKE_HOME_DIRECTORY:INTERNAL=" + folder + "\n") != std::string::npos)
      found.push_back(path);
  };
  take(folder);
  for (const auto &entry : fs::directory_iterator(folder, error)) {
    if (!entry.is_directory(error) || entry.path().filename() == ".git")
      continue;
    take(entry.path().string());
    std::string name = entry.path().filename().string();
    if (name == "build" || name == "out" || name == "_build") // presets make folders in it
      for (const auto &below : fs::directory_iterator(entry.path(), error))
        if (below.is_directory(error))
          take(below.path().string());
  }
  // The one that was configured last.
  std::sort(found.begin(), found.end(), [](const std::string &a, const std::string &b) {
    std::error_code none;
    return fs::last_write_time(a + "/CMakeCache.txt", none) >
           fs::last_write_time(b + "/CMakeCache.txt", none);
  });
  return found;
}

bool hasCMakeReply(const std::string &buildFolder) { return !indexOf(buildFolder).empty(); }

void readCMakeReply(Project &project, const std::string &buildFolder) {
  const std::string folder = buildFolder + replyFolder + "/";
  const JsonValue index = readReply(indexOf(buildFolder));
  CompileCalls calls(project);
  for (const JsonValue &object : itemsOf(index, "objects")) {
    if (object.string("kind") != "codemodel")
      continue;
    const JsonValue model = readReply(folder + object.string("jsonFile"));
    const std::vector<JsonValue> &configurations = itemsOf(model, "configurations");
    if (!configurations.empty()) // of Debug and Release the first
      for (const JsonValue &target : itemsOf(configurations.front(), "targets"))
        addTarget(readReply(folder + target.string("jsonFile")), model, calls);
  }
  calls.finish();
  targetsFromPrograms(project);
}

} // namespace cufc
