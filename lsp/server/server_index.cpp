// The index of projects in the background, and what the client is told of the server.
#include "base/files.h"
#include "index/module_view.h"
#include "server/server.h"
#include "service/outside_files.h"
#include <filesystem>
#include <fmt/format.h>
#include <unistd.h>

namespace cufc {
namespace {

constexpr size_t nearSources = 200; // which the index makes before all others
constexpr std::uint64_t defaultIndexMegabytes = 1024, defaultIndexSeconds = 1200;
constexpr size_t mostIndexDeaths = 5; // one after the other

// What the server itself has in memory.
std::uint64_t residentBytes() {
  std::string text;
  std::uint64_t all = 0, resident = 0;
  if (readFile("/proc/self/statm", text))
    std::sscanf(text.c_str(), "%lu %lu", &all, &resident);
  return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

} // namespace

// Open files wait for the modules they need: these come first.
void Server::startIndex(LoadedProject &project) {
  std::vector<size_t> first;
  for (const std::string &path : waitingForModules)
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
        loop, [this, &project](Indexer::Found found) { indexFound(project, std::move(found)); },
        [this, &project](bool complete) { indexEnded(project, complete); });
  project.indexed = 0;
  project.stale = false;
  project.indexBegan = std::chrono::steady_clock::now();
  reportProgress(project, "begin");
  project.indexer->start(projects.workFor(project, std::move(stages)));
  sendStatus();
}

// What open files need, then by the steps from folder to folder.
std::vector<size_t> Server::nearestFirst(const LoadedProject &project) const {
  std::set<std::string> folders;
  std::set<size_t> needed;
  for (const auto &[path, uri] : uris)
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
void Server::keepIndexToLimits(LoadedProject &project) {
  if (!waitingForModules.empty() || !project.indexer->running())
    return;
  auto number = [](const Json &value, std::uint64_t otherwise) {
    return value.is_number_unsigned() ? value.get<std::uint64_t>() : otherwise;
  };
  std::uint64_t megabytes = number(setting("index.memory"), defaultIndexMegabytes);
  std::uint64_t seconds = number(setting("index.time"), defaultIndexSeconds);
  auto elapsed = std::chrono::steady_clock::now() - project.indexBegan;
  bool full = megabytes > 0 && residentBytes() > megabytes << 20;
  bool late = seconds > 0 && elapsed > std::chrono::seconds(seconds);
  if (!full && !late)
    return;
  project.limited = true;
  project.indexer->cancel();
  log.write("the index of " + project.folder + " ends at its limit of " +
            (full ? "memory" : "time"));
  indexEnded(project, false);
}

// Folders that are too large to be looked through while somebody waits.
void Server::scanFolders() {
  if (folderScan.running() || projects.scansFolder().empty())
    return;
  for (const auto &[folder, project] : projects.loaded())
    if (!project->project.complete)
      return folderScan.start(folder, projects.scansFolder());
}

void Server::folderScanned(const std::string &folder, bool changed) {
  log.write("looked through " + folder + (changed ? ": it has changed" : ""));
  projects.folderScanned(folder);
  if (changed)
    return reloadProjects();
  if (auto found = projects.loaded().find(folder); found != projects.loaded().end())
    found->second->project.complete = true;
  for (const auto &[path, uri] : std::map(uris)) // modules that are not there can be told of now
    if (const SourceFile *file = workspace.find(path); file && file->analysis)
      publish(path);
  scanFolders();
  sendStatus();
}

void Server::scheduleIndex(int milliseconds) {
  indexTimer.expires_after(std::chrono::milliseconds(milliseconds));
  indexTimer.async_wait([this](const asio::error_code &error) {
    if (!error && state == State::Initialized)
      indexWhatIsStale();
  });
}

void Server::indexWhatIsStale() {
  rescanOpenFiles();
  scanFolders();
  for (const auto &[folder, project] : projects.loaded())
    if (project->stale)
      startIndex(*project);
}

// Whoever types needs the processor more; what the index has found so far is kept.
void Server::pauseIndex() {
  bool paused = folderScan.running();
  folderScan.cancel();
  for (const auto &[folder, project] : projects.loaded()) {
    if (!project->indexer || !project->indexer->running() || !waitingForModules.empty())
      continue;
    project->indexer->cancel();
    project->stale = paused = true;
    reportProgress(*project, "end");
  }
  if (paused && state == State::Initialized)
    scheduleIndex(2000);
}

void Server::indexFound(LoadedProject &project, Indexer::Found found) {
  const std::string &path = project.project.sources[found.source].path;
  const SourceFile *file = workspace.find(path);
  bool open = file && file->open;
  outside.set(path, found.outside);
  // The session of an open file writes its modules itself, but its users need not wait for it.
  for (const auto &[name, content] : found.modules) {
    std::string place = project.modules.of(found.source) + "/" + name;
    if (!open || (!file->analysis && !std::filesystem::exists(place)))
      writeFile(place, content);
  }
  if (!open) {
    SourceFile &known = workspace.file(path);
    known.reading = projects.readingOf(project, path);
    workspace.setAnalysis(path, std::make_shared<Analysis>(found.analysis));
    publish(path);
  }
  if (!open || !file->analysis)
    modulesFollow(path, found.analysis);
  project.provided.insert(found.source);
  ++project.indexed;
  reportProgress(project, "report");
  for (const std::string &waitingPath : std::set(waitingForModules))
    if (&projects.of(waitingPath) == &project) {
      std::set<size_t> needs = project.needsOf(*project.sourceOf(waitingPath));
      bool all = std::all_of(needs.begin(), needs.end(),
                             [&](size_t source) { return project.provided.contains(source); });
      if (all)
        analyse(waitingPath);
    }
  keepIndexToLimits(project);
}

void Server::indexEnded(LoadedProject &project, bool complete) {
  log.write("index of " + project.folder + (complete ? " complete" : " ended early"));
  reportProgress(project, "end");
  // Its process was killed, so what it had not reached is begun again.
  if (complete)
    project.indexDeaths = 0;
  else if (!project.limited && ++project.indexDeaths <= mostIndexDeaths) {
    project.stale = true;
    scheduleIndex(500);
  }
  // Modules that could not be made are said to be missing by those who use them.
  for (size_t i = 0; i < project.project.sources.size(); ++i)
    project.provided.insert(i);
  for (const std::string &path : std::set(waitingForModules))
    if (&projects.of(path) == &project)
      analyse(path);
  if (complete)
    flagNotices.indexed(project);
  sendStatus();
}

void Server::reportProgress(LoadedProject &project, const char *kind) {
  if (!clientHas("window/workDoneProgress"))
    return;
  Json value = {{"kind", kind}};
  if (value["kind"] == "begin") {
    if (!project.progressToken.empty())
      reportProgress(project, "end");
    // A token that was used before would be taken for the old one.
    project.progressToken = fmt::format("cufls/index/{}{}", ++progressShown, project.folder);
    ask("window/workDoneProgress/create", {{"token", project.progressToken}}, [](const Json &) {});
    value["title"] = "Indexing";
    value["percentage"] = 0;
  } else if (value["kind"] == "report") {
    size_t total = std::max<size_t>(1, project.project.sources.size());
    value["message"] = fmt::format("{}/{}", project.indexed, total);
    value["percentage"] = std::min<size_t>(100, project.indexed * 100 / total);
  }
  if (project.progressToken.empty())
    return;
  notify("$/progress", {{"token", project.progressToken}, {"value", value}});
  if (value["kind"] == "end")
    project.progressToken.clear();
}

// Projects are about to be forgotten, and what was shown of them would stay.
void Server::hideProgress() {
  for (const auto &[folder, project] : projects.loaded())
    reportProgress(*project, "end");
}

// Project files have changed: everything that is open begins anew.
void Server::reloadProjects() {
  indexTimer.cancel();
  hideProgress();
  projects.forget();
  for (const auto &[path, uri] : uris) { // all before the first, since they share folders
    if (isModuleView(path))
      continue;
    projects.addOpen(projects.of(path), path);
    projects.followCuda(projects.of(path), path, true);
  }
  for (const auto &[path, uri] : std::map(uris)) {
    if (isModuleView(path))
      continue;
    viewsDue.insert(path);
    LoadedProject &project = projects.of(path);
    SourceFile &file = workspace.file(path);
    file.reading = projects.readingOf(project, path);
    publishMistakes(project);
    analyses->close(path);
    analyse(path);
  }
  for (const std::string &folder : projects.workspaceFolders())
    projects.of(folder);
  withdrawStrangers();
  scheduleIndex(200);
}

// Files that no project has any more, since cufls.json leaves them out now, are not spoken of.
void Server::withdrawStrangers() {
  for (const std::string &path : std::set(published)) {
    const LoadedProject &project = projects.of(path);
    if (uris.contains(path) || project.sourceOf(path) || path == project.project.file)
      continue;
    workspace.remove(path);
    withdraw(path);
  }
}

// What open files define and use, as they are now. In a project whose module files have to lie
// elsewhere everything begins anew.
void Server::rescanOpenFiles() {
  bool good = true;
  for (const auto &[path, uri] : uris)
    if (!isModuleView(path))
      good &= projects.rescan(projects.of(path), path);
  if (!good)
    reloadProjects();
}

// The files from outside on which an open file depends; for closed ones the index says it. False if
// they may have changed since the analysis began.
bool Server::noteOutside(const std::string &path, std::chrono::system_clock::time_point begin) {
  const SourceFile *file = workspace.find(path);
  if (!file || !file->open || !file->analysis)
    return true;
  LoadedProject &project = projects.of(path);
  AnalysisRequest request = projects.requestFor(project, path);
  std::vector<std::string> files = outsideFiles(
      request.front, file->document.text(), file->analysis->modulesUsed, project.scratch.root());
  bool same = !outside.set(path, files);
  if (viewsDue.erase(path) != 0 || !same)
    views.follow(path);
  return areUnchangedSince(files, begin);
}

// While somebody types it can wait.
void Server::noteOutsideSoon(const std::string &path) {
  auto now = std::chrono::system_clock::now();
  if (auto begun = analysedSince.find(path); begun != analysedSince.end()) {
    outsideDue.emplace(path, begun->second);
    analysedSince.erase(begun);
  } else if (!outsideDue.emplace(path, now).second) {
    return;
  }
  bool first = outsideDue.at(path) != now;
  outsideTimer.expires_after(std::chrono::milliseconds(first ? 0 : 500));
  outsideTimer.async_wait([this](const asio::error_code &error) {
    if (error)
      return;
    for (const auto &[due, begin] : std::exchange(outsideDue, {}))
      if (!noteOutside(due, begin))
        outsideChanged({due});
  });
}

// A module from outside or an included file has come, gone or changed.
void Server::outsideChanged(const std::set<std::string> &sources) {
  if (state != State::Initialized)
    return;
  for (const auto &[folder, project] : projects.loaded())
    for (const std::string &path : sources)
      if (std::optional<size_t> source = project->sourceOf(path); source && !uris.contains(path)) {
        project->provided.erase(*source);
        project->stale = true;
      }
  for (const std::string &path : sources)
    if (uris.contains(path)) {
      viewsDue.insert(path);
      analyse(path);
    }
  scheduleIndex(300);
}

Json Server::status() {
  bool indexing = folderScan.running();
  size_t indexed = 0, sources = 0;
  for (const auto &[folder, project] : projects.loaded()) {
    bool runs = project->indexer && project->indexer->running();
    indexing |= runs;
    size_t all = project->project.sources.size();
    indexing |= !project->project.complete && !projects.scansFolder().empty();
    indexed += runs || project->stale ? std::min(project->indexed, all) : all;
    sources += all;
  }
  bool analysing = !waitingForModules.empty();
  for (const auto &[path, uri] : uris)
    analysing |= analyses->busy(path);
  return {{"state", indexing    ? "indexing"
                    : analysing ? "analysing"
                                : "idle"},
          {"openFiles", uris.size()},
          {"sources", sources},
          {"indexed", indexed},
          {"restarts", analyses->restarts()},
          {"memory", analyses->memory()}};
}

void Server::sendStatus() {
  Json now = status();
  std::string state = now["state"];
  if (state != lastStatus)
    notify("cufls/status", now);
  lastStatus = state;
}

// What the client has asked for and that an analysis changes although the text has not changed.
void Server::scheduleRefresh() {
  if (refreshScheduled)
    return;
  refreshScheduled = true;
  refreshTimer.expires_after(std::chrono::milliseconds(50));
  refreshTimer.async_wait([this](const asio::error_code &error) {
    refreshScheduled = false;
    if (error || state != State::Initialized)
      return;
    for (const char *what : {"semanticTokens", "inlayHint", "codeLens", "diagnostics"})
      if (clientHas(std::string("workspace/") + what + "/refreshSupport"))
        ask((what == std::string_view("diagnostics")      ? "workspace/diagnostic/refresh"
             : what == std::string_view("semanticTokens") ? "workspace/semanticTokens/refresh"
             : what == std::string_view("inlayHint")      ? "workspace/inlayHint/refresh"
                                                          : "workspace/codeLens/refresh"),
            nullptr, [](const Json &) {});
  });
}

} // namespace cufc
