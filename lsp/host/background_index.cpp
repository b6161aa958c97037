// See background_index.h. A project's index is an Indexer, whose process can be ended at any time.
#include "host/background_index.h"
#include "base/files.h"
#include "base/kept_files.h"
#include "host/host.h"
#include <filesystem>

namespace cufc {
namespace {

constexpr size_t nearSources = 200;   // which the index makes before all others
constexpr size_t mostIndexDeaths = 5; // one after the other, also of scans

} // namespace

BackgroundIndex::BackgroundIndex(Host &host)
    : host(host), timer(host.loop),
      folderScan(host.loop, [this](const std::string &folder, FolderScan::Result result) {
        folderScanned(folder, result);
      }) {}

// Open files wait for the modules they need: these come first. Beyond its limits, the index makes
// those of all open files anew, which may have changed, and nothing else.
void BackgroundIndex::start(LoadedProject &project) {
  std::vector<size_t> first;
  for (const std::string &path : project.limited ? host.openPaths : waitingForModules)
    if (std::optional<size_t> source = project.sourceOf(path))
      for (size_t other : project.needsOf(*source))
        first.push_back(other);
  std::vector<std::vector<size_t>> stages{std::move(first)};
  if (!project.limited)
    for (size_t source : nearestFirst(project)) { // only stages have an order
      if (stages.size() == 1 || (stages.size() == 2 && stages.back().size() == nearSources))
        stages.emplace_back();
      stages.back().push_back(source);
    }
  if (!project.indexer)
    project.indexer = std::make_unique<Indexer>(
        host.loop, [this, &project](const Indexer::Found &one) { found(project, one); },
        [this, &project](bool complete) { ended(project, complete); });
  project.indexed = 0;
  project.stale = project.tryCrashed = false;
  project.indexBegan = std::chrono::steady_clock::now();
  progress(project, IndexProgress::Stage::Begun);
  project.indexer->start(host.projects.workFor(project, std::move(stages)));
  host.observer.statusChanged();
}

// What open files need, then by the steps from folder to folder.
std::vector<size_t> BackgroundIndex::nearestFirst(const LoadedProject &project) const {
  std::set<std::string> folders;
  std::set<size_t> needed;
  for (const std::string &path : host.openPaths)
    if (std::optional<size_t> source = project.sourceOf(path)) {
      folders.insert(directoryOf(path));
      needed.insert(*source);
      needed.merge(project.needsOf(*source));
    }
  std::map<std::string, size_t> steps; // of folders
  std::vector<std::tuple<bool, size_t, size_t>> order;
  for (size_t i = 0; i < project.project.sources.size(); ++i) {
    if (i >= project.listed && !needed.contains(i))
      continue;
    std::string folder = directoryOf(project.project.sources[i].path);
    auto [place, isNew] = steps.try_emplace(folder, folders.empty() ? 0 : std::string::npos);
    if (isNew)
      for (const std::string &open : folders)
        place->second = std::min(place->second, folderDistance(open, folder));
    order.emplace_back(!needed.contains(i), place->second, i);
  }
  std::sort(order.begin(), order.end());
  std::vector<size_t> result;
  for (const auto &[far, distance, source] : order)
    result.push_back(source);
  return result;
}

// Beyond them only what open files need is analysed.
void BackgroundIndex::keepToLimits(LoadedProject &project) {
  if (project.limited || !waitingForModules.empty() || !project.indexer->running())
    return;
  auto elapsed = std::chrono::steady_clock::now() - project.indexBegan;
  bool full = limits.megabytes > 0 && ownMemory() > limits.megabytes << 20;
  bool late = limits.seconds > 0 && elapsed > std::chrono::seconds(limits.seconds);
  if (!full && !late)
    return;
  project.limited = true;
  project.indexer->cancel();
  host.observer.log("the index of " + project.folder + " ends at its limit of " +
                    (full ? "memory" : "time"));
  ended(project, false);
}

// Folders that are too large to be looked through while somebody waits.
void BackgroundIndex::scanFolders() {
  if (folderScan.running() || host.projects.scansFolder().empty())
    return;
  for (const auto &[folder, project] : host.projects.loaded())
    if (!project->project.complete)
      return folderScan.start(folder, host.projects.scansFolder());
}

void BackgroundIndex::folderScanned(const std::string &folder, FolderScan::Result result) {
  // What is kept is not all of it then.
  if (result == FolderScan::Result::Killed && ++scanDeaths <= mostIndexDeaths)
    return schedule(500);
  scanDeaths = 0;
  bool changed = result != FolderScan::Result::Same;
  host.observer.log("looked through " + folder + (changed ? ": it has changed" : ""));
  host.projects.folderScanned(folder);
  if (changed)
    return host.reload();
  if (auto found = host.projects.loaded().find(folder); found != host.projects.loaded().end())
    found->second->project.complete = true;
  for (const std::string &path : std::set(host.openPaths)) // of missing modules one can tell now
    if (const SourceFile *file = host.workspace.find(path); file && file->analysis)
      host.observer.diagnosticsChanged(path);
  scanFolders();
  host.observer.statusChanged();
}

void BackgroundIndex::schedule(int milliseconds) {
  timer.expires_after(std::chrono::milliseconds(milliseconds));
  timer.async_wait([this](const asio::error_code &error) {
    if (!error && host.running)
      indexWhatIsStale();
  });
}

// What somebody looks at has the processor first.
bool BackgroundIndex::isInTheWay() const {
  return !anyWaiting() &&
         std::any_of(host.openPaths.begin(), host.openPaths.end(),
                     [&](const std::string &path) { return host.analyses.busy(path); });
}

void BackgroundIndex::indexWhatIsStale() {
  if (isInTheWay())
    return schedule(200);
  host.rescanOpenFiles();
  scanFolders();
  for (const auto &[folder, project] : host.projects.loaded())
    if (project->stale)
      start(*project);
}

void BackgroundIndex::pause() {
  bool paused = folderScan.running();
  folderScan.cancel();
  for (const auto &[folder, project] : host.projects.loaded()) {
    if (!project->indexer || !project->indexer->running() || !waitingForModules.empty())
      continue;
    project->indexer->cancel();
    project->stale = paused = true;
    progress(*project, IndexProgress::Stage::Ended);
  }
  if (paused && host.running)
    schedule(2000);
}

// An analysis that ended early says less than the one before; the next may do better.
bool BackgroundIndex::isTriedAgain(LoadedProject &project, const Indexer::Found &one) const {
  if (!endedEarly(one.analysis)) {
    project.crashed.erase(one.source);
    return false;
  }
  bool first = project.crashed.insert(one.source).second;
  project.tryCrashed |= first;
  if (first)
    host.observer.log("the analysis of " + project.project.sources[one.source].path +
                      " ended early; the index tries it again");
  return first;
}

void BackgroundIndex::found(LoadedProject &project, const Indexer::Found &one) {
  if (isTriedAgain(project, one))
    return;
  const std::string &path = project.project.sources[one.source].path;
  const SourceFile *file = host.workspace.find(path);
  bool open = file && file->open;
  host.outside.set(path, one.outside);
  // The session of an open file writes its modules itself, but its users need not wait for it.
  for (const auto &[name, content] : one.modules) {
    std::string place = project.modules.of(one.source) + "/" + name;
    if (!open || (!file->analysis && !std::filesystem::exists(place)))
      keepFile(place, content);
  }
  if (!open) {
    SourceFile &known = host.workspace.file(path);
    known.reading = host.projects.readingOf(project, path);
    host.workspace.setAnalysis(path, std::make_shared<Analysis>(one.analysis));
    host.observer.diagnosticsChanged(path);
  }
  if (!open || !file->analysis)
    host.users.follow(path, one.analysis);
  project.provided.insert(one.source);
  ++project.indexed;
  progress(project, IndexProgress::Stage::Goes);
  for (const std::string &waitingPath : std::set(waitingForModules))
    if (std::optional<size_t> source = project.sourceOf(waitingPath);
        source && &host.projects.of(waitingPath) == &project) {
      std::set<size_t> needs = project.needsOf(*source);
      bool all = std::all_of(needs.begin(), needs.end(),
                             [&](size_t other) { return project.provided.contains(other); });
      if (all)
        host.analyse(waitingPath);
    }
  keepToLimits(project);
}

void BackgroundIndex::ended(LoadedProject &project, bool complete) {
  host.observer.log("index of " + project.folder + (complete ? " complete" : " ended early"));
  progress(project, IndexProgress::Stage::Ended);
  // Its process was killed, so what it had not reached is begun again.
  if (complete)
    project.indexDeaths = 0;
  if (complete && project.tryCrashed) {
    project.stale = true;
    schedule(500);
    return host.observer.statusChanged(); // who waits for modules waits for the next one
  }
  if (!complete && !project.limited && ++project.indexDeaths <= mostIndexDeaths) {
    project.stale = true;
    schedule(500);
  }
  // Modules that could not be made are said to be missing by those who use them.
  for (size_t i = 0; i < project.project.sources.size(); ++i)
    project.provided.insert(i);
  for (const std::string &path : std::set(waitingForModules))
    if (&host.projects.of(path) == &project)
      host.analyse(path);
  if (complete)
    host.flagNotices.indexed(project);
  host.observer.statusChanged();
}

void BackgroundIndex::progress(const LoadedProject &project, IndexProgress::Stage stage) {
  host.observer.indexProgressed(
      {project.folder, stage, project.indexed, project.project.sources.size()});
}

void BackgroundIndex::endAll() {
  timer.cancel();
  for (const auto &[folder, project] : host.projects.loaded())
    progress(*project, IndexProgress::Stage::Ended);
}

} // namespace cufc
