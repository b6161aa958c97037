// See host.h. Folders, settings and files of the projects, and what is said of all of them
// together.
#include "host/host.h"
#include "index/module_view.h"

namespace cufc {

void Host::setFolders(std::vector<std::string> folders) {
  index.endAll();
  projects.setFolders(std::move(folders));
}

void Host::setSettings(HostSettings settings) {
  index.endAll();
  projects.setSettings(std::move(settings.severities), std::move(settings.flags));
  index.setLimits(settings.index);
  analyses.setMemoryLimit(settings.memoryLimit);
  costs.setSettings(settings.costs);
}

void Host::begin() {
  for (const std::string &folder : projects.workspaceFolders())
    projects.of(folder);
  index.schedule(100);
}

void Host::stop() {
  running = false;
  index.pause();
}

void Host::filesChanged(const std::vector<FileEvent> &events) {
  bool anew = false, stale = false;
  for (const auto &[path, kind] : events) {
    bool changed = kind == FileEvent::Kind::Changed;
    std::string name = path.substr(path.rfind('/') + 1);
    bool ofBuild = FlagNotices::isBuildFile(path);
    if (ofBuild)
      flagNotices.buildChanged();
    if (name == projectFileName || name == "compile_commands.json" || ofBuild || !changed)
      anew = true;
    if (kind == FileEvent::Kind::Deleted && !openPaths.contains(path)) {
      workspace.remove(path);
      observer.diagnosticsGone(path);
    }
    stale |= !openPaths.contains(path);
    if (!anew && changed)
      anew = !projects.rescan(projects.of(path), path);
  }
  if (anew) {
    projects.filesChanged();
    return reload();
  }
  users.followGraphs();
  if (!stale)
    return;
  for (const auto &[folder, project] : projects.loaded())
    project->stale = true;
  index.schedule(300);
}

void Host::reload() {
  index.endAll();
  projects.forget();
  for (const std::string &path : openPaths) { // all before the first, since they share folders
    if (isModuleView(path))
      continue;
    projects.addOpen(projects.of(path), path);
    projects.followCuda(projects.of(path), path, true);
  }
  for (const std::string &path : std::set(openPaths)) {
    if (isModuleView(path))
      continue;
    outside.viewsChanged(path);
    LoadedProject &project = projects.of(path);
    SourceFile &file = workspace.file(path);
    file.reading = projects.readingOf(project, path);
    tellMistakes(project);
    analyses.close(path);
    analyse(path);
  }
  for (const std::string &folder : projects.workspaceFolders())
    projects.of(folder);
  observer.projectsReloaded();
  index.schedule(200);
}

// What open files define and use, as they are now. In a project whose module files have to lie
// elsewhere everything begins anew.
void Host::rescanOpenFiles() {
  bool good = true;
  for (const std::string &path : openPaths)
    if (!isModuleView(path))
      good &= projects.rescan(projects.of(path), path);
  if (!good)
    return reload();
  users.followGraphs();
}

// Files that no project has any more, since cufls.json leaves them out now, are not known.
bool Host::knows(const std::string &path) {
  const LoadedProject &project = projects.of(path);
  return openPaths.contains(path) || project.sourceOf(path) || path == project.project.file;
}

void Host::tellMistakes(const LoadedProject &project) {
  if (project.project.file.empty())
    return;
  std::vector<Diagnostic> mistakes;
  for (const Diagnostic &diagnostic : project.mistakes.list())
    if (diagnostic.range.file == project.project.file)
      mistakes.push_back(diagnostic);
  observer.projectFileRead(project.project.file, mistakes);
}

HostStatus Host::status() {
  HostStatus result;
  bool indexing = index.isScanning();
  for (const auto &[folder, project] : projects.loaded()) {
    bool runs = project->indexer && project->indexer->running();
    indexing |= runs;
    size_t all = project->project.sources.size();
    indexing |= !project->project.complete && !projects.scansFolder().empty();
    result.indexed += runs || project->stale ? std::min(project->indexed, all) : all;
    result.sources += all;
  }
  bool analysing = index.anyWaiting();
  for (const std::string &path : openPaths)
    analysing |= analyses.busy(path);
  result.state = indexing    ? HostStatus::State::Indexing
                 : analysing ? HostStatus::State::Analysing
                             : HostStatus::State::Idle;
  result.openFiles = openPaths.size();
  result.restarts = analyses.restarts();
  result.memory = analyses.memory();
  return result;
}

} // namespace cufc
