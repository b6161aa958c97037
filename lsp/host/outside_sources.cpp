// See outside_sources.h.
#include "host/outside_sources.h"
#include "host/host.h"
#include "service/outside_files.h"

namespace cufc {

OutsideSources::OutsideSources(Host &host)
    : host(host), timer(host.loop),
      watch(host.loop, [this](const std::set<std::string> &sources) { changed(sources); }) {}

void OutsideSources::begun(const std::string &path) { analysedSince[path] = fileTimeNow(); }

// The files from outside on which an open file depends; for closed ones the index says it. False if
// they may have changed since the analysis began.
bool OutsideSources::note(const std::string &path, std::chrono::system_clock::time_point begin) {
  const SourceFile *file = host.workspace.find(path);
  if (!file || !file->open || !file->analysis)
    return true;
  LoadedProject &project = host.projects.of(path);
  AnalysisRequest request = host.projects.requestFor(project, path);
  std::vector<std::string> files = outsideFiles(
      request.front, file->document.text(), file->analysis->modulesUsed, project.scratch.root());
  bool same = !watch.set(path, files);
  if (viewsDue.erase(path) != 0 || !same)
    host.views.follow(path);
  return areUnchangedSince(files, begin);
}

// While somebody types it can wait.
void OutsideSources::noteSoon(const std::string &path) {
  auto now = std::chrono::system_clock::now();
  if (auto begun = analysedSince.find(path); begun != analysedSince.end()) {
    due.emplace(path, begun->second);
    analysedSince.erase(begun);
  } else if (!due.emplace(path, now).second) {
    return;
  }
  bool first = due.at(path) != now;
  timer.expires_after(std::chrono::milliseconds(first ? 0 : 500));
  timer.async_wait([this](const asio::error_code &error) {
    if (error)
      return;
    for (const auto &[path, begin] : std::exchange(due, {}))
      if (!note(path, begin))
        changed({path});
  });
}

// A module from outside or an included file has come, gone or changed.
void OutsideSources::changed(const std::set<std::string> &sources) {
  if (!host.running)
    return;
  for (const auto &[folder, project] : host.projects.loaded())
    for (const std::string &path : sources)
      if (std::optional<size_t> source = project->sourceOf(path);
          source && !host.openPaths.contains(path)) {
        project->provided.erase(*source);
        project->stale = true;
      }
  for (const std::string &path : sources)
    if (host.openPaths.contains(path)) {
      viewsDue.insert(path);
      host.analyse(path);
    }
  host.index.schedule(300);
}

} // namespace cufc
