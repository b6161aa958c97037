// See projects.h. A file belongs to the nearest project file above it, or to the folder of the
// workspace.
#include "host/projects.h"
#include "driver/mpi.h"
#include "driver/options.h"
#include "source/language_options.h"
#include "source/source_form.h"
#include <algorithm>
#include <filesystem>

namespace cufc {
namespace {

namespace fs = std::filesystem;

bool isIn(const std::string &path, const std::string &folder) {
  return path == folder || path.starts_with(folder == "/" ? folder : folder + "/");
}

// A folder is looked through for so long before the host goes on without it.
constexpr int scanMilliseconds = 150;

// What a source graph is made of; places do not count.
bool sameNames(const ModuleFacts &a, const ModuleFacts &b) {
  auto same = [](const std::vector<ModuleStatement> &x, const std::vector<ModuleStatement> &y) {
    return std::equal(x.begin(), x.end(), y.begin(), y.end(),
                      [](const auto &one, const auto &other) {
                        return one.name == other.name && one.conditional == other.conditional;
                      });
  };
  return same(a.defines, b.defines) && same(a.uses, b.uses) && same(a.usesItself, b.usesItself) &&
         same(a.procedures, b.procedures);
}

} // namespace

std::optional<size_t> LoadedProject::sourceOf(const std::string &path) const {
  auto found = numbers.find(path);
  return found == numbers.end() ? std::nullopt : std::optional(found->second);
}

void LoadedProject::graphChanged() {
  needed.clear();
  numbers.clear();
  disputed.clear();
  targetsOf.assign(project.sources.size(), {});
  for (size_t target = 0; target < project.targets.size(); ++target)
    for (size_t source : project.targets[target].sources)
      targetsOf[source].push_back(target);
  for (size_t source = 0; source < project.sources.size(); ++source) {
    numbers.emplace(project.sources[source].path, source);
    for (const auto *list : {&project.facts[source].defines, &project.facts[source].procedures})
      for (const ModuleStatement &statement : *list)
        disputed[statement.name].push_back(source);
  }
  std::erase_if(disputed, [&](const auto &entry) {
    const std::string &first = project.sources[entry.second.front()].path;
    return std::all_of(entry.second.begin(), entry.second.end(),
                       [&](size_t source) { return project.sources[source].path == first; });
  });
  index.emplace(project);
  ++graphNumber;
}

// What a file needs is what it means, also through other modules; otherwise the nearest.
std::string LoadedProject::definerFor(size_t source, const std::string &name) const {
  auto found = disputed.find(name);
  if (found == disputed.end() || !index)
    return {};
  const std::vector<size_t> &all = found->second;
  auto path = [&](size_t number) { return project.sources[number].path; };
  if (std::find(all.begin(), all.end(), source) != all.end())
    return path(source);
  auto [closure, isNew] = needed.try_emplace(source);
  if (isNew)
    closure->second = needsOf(source);
  std::vector<size_t> near = index->definers(name, source);
  if (near.empty())
    near = index->procedures(name, source);
  if (near.empty() || !closure->second.contains(near.front()))
    for (size_t other : all)
      if (closure->second.contains(other))
        return path(other);
  return near.empty() ? "" : path(near.front());
}

std::set<size_t> LoadedProject::needsOf(size_t source) const {
  std::set<size_t> result;
  std::vector<size_t> open{source};
  while (!open.empty()) {
    size_t next = open.back();
    open.pop_back();
    for (size_t other : graph.needs[next])
      if (other != source && result.insert(other).second)
        open.push_back(other);
  }
  return result;
}

std::string Projects::definerFor(const std::string &file, const std::string &name) const {
  for (const auto &[folder, project] : projects)
    if (std::optional<size_t> source = project ? project->sourceOf(file) : std::nullopt)
      return project->definerFor(*source, name);
  return {};
}

bool Projects::linked(const std::string &file, const std::string &other) const {
  for (const auto &[folder, project] : projects) {
    std::optional<size_t> a = project ? project->sourceOf(file) : std::nullopt;
    std::optional<size_t> b = project ? project->sourceOf(other) : std::nullopt;
    if (!a || !b)
      continue;
    const std::vector<size_t> &x = project->targetsOf[*a], &y = project->targetsOf[*b];
    return (x.empty() && y.empty()) || std::any_of(x.begin(), x.end(), [&](size_t target) {
             return std::find(y.begin(), y.end(), target) != y.end();
           });
  }
  return false;
}

std::string LoadedProject::moduleFolder(const std::string &path) const {
  std::optional<size_t> source = sourceOf(path);
  return source ? modules.of(*source) : scratch.root();
}

void Projects::setFolders(std::vector<std::string> list) {
  folders = std::move(list);
  forget();
}

void Projects::setSettings(std::vector<std::pair<std::string, std::string>> newSeverities,
                           std::vector<std::string> newFlags) {
  severities = std::move(newSeverities);
  flags = std::move(newFlags);
  forget();
}

// The nearest folder with a project file, but not above the workspace's or a repository's;
// otherwise the folder of the workspace, or that of the file.
std::string Projects::folderFor(const std::string &path) const {
  std::error_code error;
  std::string start = fs::is_directory(path, error) ? path : directoryOf(path);
  std::string workspace;
  for (const std::string &folder : folders)
    if (isIn(start, folder) && folder.size() > workspace.size())
      workspace = folder;
  for (fs::path folder = start;; folder = folder.parent_path()) {
    if (fs::exists(folder / projectFileName, error))
      return folder.string();
    if (folder == workspace || folder == folder.parent_path() ||
        (workspace.empty() && fs::exists(folder / ".git", error)))
      break;
  }
  return workspace.empty() ? start : workspace;
}

LoadedProject &Projects::of(const std::string &path) {
  std::string folder = folderFor(path);
  std::unique_ptr<LoadedProject> &place = projects[folder];
  if (!place)
    place = load(folder);
  return *place;
}

std::unique_ptr<LoadedProject> Projects::load(const std::string &folder) const {
  auto result = std::make_unique<LoadedProject>();
  result->folder = folder;
  ScanOptions looked{scansFolder()};
  looked.flags = flagsFolder();
  looked.asKept = scanned.contains(folder);
  looked.milliseconds = looked.asKept || looked.kept.empty() ? 0 : scanMilliseconds;
  result->project = loadProject(folder, result->mistakes, looked);
  result->listed = result->project.sources.size();
  for (ProjectSource &source : result->project.sources)
    source.arguments.insert(source.arguments.end(), flags.begin(), flags.end());
  for (size_t i = 0; i < result->project.sources.size(); ++i)
    if (const SourceFile *file = workspace.find(result->project.sources[i].path);
        file && file->open)
      result->project.facts[i] = scan(result->project.sources[i]);
  makeGraph(*result);
  for (const auto &[key, severity] : result->project.diagnostics)
    result->settings.set(key.text, severity.text, result->mistakes);
  Diagnostics unknown;
  for (const auto &[key, severity] : severities)
    result->settings.set(key, severity, unknown);
  return result;
}

ModuleFacts Projects::scan(const ProjectSource &source) const {
  const SourceFile *file = workspace.find(source.path);
  return file && file->open ? scanSource(source, file->document.text()) : scanSource(source);
}

void Projects::makeGraph(LoadedProject &project) const {
  Diagnostics ofSources; // the analyses say these again
  project.graph =
      makeSourceGraph(project.project, ownModuleFolders(options.installation), ofSources);
  project.modules = ModuleFolders(project.project, project.graph, project.scratch.root());
  project.graphChanged();
  workspace.forgetKeys();
}

// Of analyses is the folder beside it.
std::string Projects::scansFolder() const {
  return cacheFolder.empty() ? "" : directoryOf(cacheFolder) + "/scans";
}

void Projects::addNeeded(LoadedProject &project, size_t source) const {
  ScanOptions scan{scansFolder()};
  scan.milliseconds = scan.kept.empty() ? 0 : scanMilliseconds;
  scan.asKept = !project.project.complete || scanned.contains(project.folder);
  std::vector<ProjectSource> &sources = project.project.sources;
  size_t before = sources.size();
  SourceFinder(scan).addNeeded(project.project, source, project.project.root);
  for (size_t added = before; added < sources.size(); ++added)
    completeArguments(project, sources[added]);
}

// With those of a project file without targets, and of the client's settings.
void Projects::completeArguments(const LoadedProject &project, ProjectSource &source) const {
  const std::vector<std::string> &first = project.project.arguments;
  source.arguments.insert(source.arguments.begin(), first.begin(), first.end());
  source.arguments.insert(source.arguments.end(), flags.begin(), flags.end());
}

bool Projects::addOpen(LoadedProject &project, const std::string &path) const {
  std::optional<SourceForm> form = sourceForm(path);
  if (project.sourceOf(path) || !form || form->kind != FileKind::Fortran)
    return true;
  ProjectSource source = sourceFor(project, path);
  ModuleFacts facts = scan(source);
  if (project.project.isFolder()) {
    source = foundSource(path, project.project.root, facts);
    completeArguments(project, source);
  }
  project.project.sources.push_back(std::move(source));
  project.project.facts.push_back(std::move(facts));
  if (project.project.isFolder())
    addNeeded(project, project.project.sources.size() - 1);
  ModuleFolders before = project.modules;
  makeGraph(project);
  return project.modules == before;
}

bool Projects::followCuda(LoadedProject &project, const std::string &path, bool mayEnd) const {
  std::optional<size_t> number = project.sourceOf(path);
  std::optional<SourceForm> form = sourceForm(path);
  if (!project.project.isFolder() || !number || !form || form->cuda)
    return false;
  ProjectSource &source = project.project.sources[*number];
  ModuleFacts facts = scan(source);
  if (!mayEnd) // a text is of one form, whatever is typed for a moment
    facts.freeForm = std::find(source.arguments.begin(), source.arguments.end(), "-Mfree") !=
                     source.arguments.end();
  ProjectSource wanted = foundSource(path, source.directory, facts);
  completeArguments(project, wanted);
  if (wanted.arguments == source.arguments || (!facts.cuda && !mayEnd))
    return false;
  source.arguments = std::move(wanted.arguments);
  return true;
}

bool Projects::rescan(LoadedProject &project, const std::string &path) const {
  bool same = true;
  for (size_t i = 0; i < project.project.sources.size(); ++i)
    if (project.project.sources[i].path == path) {
      ModuleFacts now = scan(project.project.sources[i]);
      same &= sameNames(now, project.project.facts[i]);
      project.project.facts[i] = std::move(now);
    }
  if (same)
    return true;
  ModuleFolders before = project.modules;
  if (std::optional<size_t> source = project.sourceOf(path); source && project.project.isFolder())
    addNeeded(project, *source);
  makeGraph(project);
  return project.modules == before;
}

ProjectSource Projects::sourceFor(const LoadedProject &project, const std::string &path) const {
  if (const ProjectSource *source = project.project.find(path))
    return *source;
  ProjectSource source{path, directoryOf(path), project.project.argumentsFor(path)};
  source.arguments.insert(source.arguments.end(), flags.begin(), flags.end());
  return source;
}

AnalysisRequest Projects::requestFor(LoadedProject &project, const std::string &path) const {
  ProjectCheckOptions own = options;
  own.moduleDirectory = project.scratch.root();
  Diagnostics ignored;
  AnalysisRequest request = cufc::requestFor(sourceFor(project, path), own, ignored);
  if (std::optional<size_t> source = project.sourceOf(path))
    project.modules.use(*source, project.graph, request.front);
  return request;
}

Options Projects::optionsOf(const LoadedProject &project, const std::string &path) const {
  Diagnostics ignored;
  return parseOptions(sourceFor(project, path).arguments, ignored);
}

SourceReading Projects::readingOf(LoadedProject &project, const std::string &path) const {
  AnalysisRequest request = requestFor(project, path);
  const FrontendOptions &front = request.front;
  return {front.fixedForm,  languageIn(front.macros).fixedColumns,
          front.cuda,       front.backslashEscapes,
          front.preprocess, front.macros,
          front.includes,   project.folder};
}

ProjectCheckOptions Projects::optionsWithTexts() const {
  ProjectCheckOptions result = options;
  for (const auto &[path, file] : workspace.files())
    if (file->open)
      result.texts[path] = file->document.text();
  return result;
}

std::optional<KnownSource> Projects::knownSource(const LoadedProject &project,
                                                 size_t source) const {
  return cufc::knownSource(project.project, project.graph, source, optionsWithTexts(),
                           AnalysisCache(cacheFolder));
}

Indexer::Work Projects::workFor(const LoadedProject &project,
                                std::vector<std::vector<size_t>> stages) const {
  return {project.project, std::move(stages), optionsWithTexts(), cacheFolder};
}

} // namespace cufc
