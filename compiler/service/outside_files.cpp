// See outside_files.h.
#include "service/outside_files.h"
#include "base/files.h"
#include "foreign/module_path.h"
#include "frontend/search_folders.h"
#include "project/included_files.h"
#include "source/language_options.h"
#include <algorithm>
#include <ctime>
#include <fmt/format.h>
#include <set>
#include <sys/stat.h>
#include <unistd.h>

namespace cufc {
namespace {

class Collector {
public:
  explicit Collector(const FrontendOptions &front)
      : front(front), folders(includeFolders(front)),
        columns(languageIn(front.macros).fixedColumns) {}

  void source(const std::string &path, const std::string &text) {
    ModuleFacts facts = scanModules(path, text, front.fixedForm, columns);
    for (const ModuleStatement &use : facts.uses)
      modules.insert(use.name);
    for (const IncludeLine &line : facts.includes)
      include(line.name, path);
  }

  std::set<std::string> modules, files;

private:
  void include(const std::string &name, const std::string &from) {
    for (const std::string &path : placesOfInclude(name, from, folders)) {
      bool isNew = files.insert(path).second;
      std::string text;
      if (access(path.c_str(), R_OK) != 0)
        continue;
      if (isNew && readFile(path, text))
        source(path, text);
      return;
    }
  }

  const FrontendOptions &front;
  const std::vector<std::string> folders;
  const int columns;
};

} // namespace

std::vector<std::string> outsideFiles(const FrontendOptions &front, const std::string &text,
                                      const std::vector<std::string> &modules,
                                      const std::string &ownFolder) {
  Collector collector(front);
  collector.source(front.path, text);
  collector.modules.insert(modules.begin(), modules.end());
  std::vector<std::string> names(collector.modules.begin(), collector.modules.end());
  for (std::string &path :
       foreign::filesBehindModules(names, moduleFolders(front), front.intrinsicModules))
    if (ownFolder.empty() || !path.starts_with(ownFolder + "/"))
      collector.files.insert(std::move(path));
  return {collector.files.begin(), collector.files.end()};
}

std::chrono::system_clock::time_point fileTimeNow() {
  struct timespec now{};
  clock_gettime(CLOCK_REALTIME_COARSE, &now);
  return std::chrono::system_clock::time_point(std::chrono::seconds(now.tv_sec) +
                                               std::chrono::nanoseconds(now.tv_nsec));
}

bool areUnchangedSince(const std::vector<std::string> &files,
                       std::chrono::system_clock::time_point begin) {
  constexpr auto tick = std::chrono::milliseconds(10); // of a clock that file systems take
  std::set<std::string> paths;
  for (const std::string &file : files) {
    std::string path = file;
    while (path.size() > 1 && access(path.c_str(), F_OK) != 0)
      path = directoryOf(path);
    paths.insert(path);
  }
  return std::all_of(paths.begin(), paths.end(), [&](const std::string &path) {
    struct stat state{};
    if (stat(path.c_str(), &state) != 0)
      return false;
    // A file that was renamed has its old time of modification.
    auto since = std::chrono::seconds(state.st_ctim.tv_sec) +
                 std::chrono::nanoseconds(state.st_ctim.tv_nsec);
    bool ofOtherClock = since > std::chrono::system_clock::now().time_since_epoch() + tick;
    return since < begin.time_since_epoch() || ofOtherClock;
  });
}

} // namespace cufc
