// Sources become ready when all that they need is done. A source's key names the interfaces of the
// modules that it uses and nothing else of the sources behind them, so a change that leaves
// interfaces as they were ends there.
#include "service/check_project.h"
#include "base/archive.h"
#include "base/diag.h"
#include "base/files.h"
#include "driver/frontend_options.h"
#include "driver/mpi.h"
#include "project/content_hash.h"
#include "service/analysis_queue.h"
#include "service/missing_modules.h"
#include "service/module_folders.h"
#include "service/outside_files.h"
#include <algorithm>
#include <deque>
#include <set>

namespace cufc {
namespace {

AnalysisRequest makeRequest(const ProjectSource &source, const ProjectCheckOptions &options,
                            MpiPurpose purpose, Diagnostics &diagnostics) {
  Options parsed = parseOptions(source.arguments, diagnostics);
  for (std::string &include : parsed.includes)
    include = absolutePath(include, source.directory);
  parsed.moduleDirectory = options.moduleDirectory;
  SourceForm form =
      sourceForm(source.path).value_or(SourceForm{FileKind::Fortran, false, true, false});
  AnalysisRequest request{frontendOptions(parsed, options.installation, source.path, form, ""),
                          checkOptions(parsed, options.toolkit)};
  request.front.analysis = true;
  request.checks.hazards = true;
  auto text = options.texts.find(source.path);
  if (text != options.texts.end())
    request.front.text = text->second;
  addMpiKit(request.front, parsed, options.installation, purpose, diagnostics);
  return request;
}

class ProjectCheck {
public:
  ProjectCheck(const Project &project, const SourceGraph &graph, const ProjectCheckOptions &options,
               const AnalysisCache &cache, Diagnostics &diagnostics)
      : project(project), graph(graph), options(options), cache(cache), diagnostics(diagnostics) {}

  std::map<size_t, CheckedSource> run(const std::vector<size_t> &wanted, const Diagnostics &found) {
    collectNeeded(wanted);
    folders = ModuleFolders(project, graph, options.moduleDirectory);
    reportProject(found, wanted);
    for (size_t source : graph.order)
      if (needed.count(source))
        begin(source);
    work();
    if (options.keepModules)
      for (size_t source : needed)
        provide(source);
    return std::move(done);
  }

  std::optional<KnownSource> known(size_t wanted) {
    collectNeeded({wanted});
    for (size_t source : graph.order)
      if (needed.count(source) && !findInCache(source))
        return std::nullopt;
    KnownSource result{done.at(wanted).analysis, std::move(moduleFiles), {}};
    for (const auto &[source, checked] : done)
      result.interfaces[source] = checked.analysis.interfaces;
    return result;
  }

private:
  void collectNeeded(const std::vector<size_t> &wanted) {
    std::vector<size_t> open = wanted;
    while (!open.empty()) {
      size_t source = open.back();
      open.pop_back();
      if (needed.insert(source).second)
        open.insert(open.end(), graph.needs[source].begin(), graph.needs[source].end());
    }
  }

  // What is wrong with other sources of the folder is not asked for, nor that one is there twice of
  // what is only needed. The analyses say which modules are ambiguous.
  void reportProject(const Diagnostics &found, const std::vector<size_t> &wanted) {
    std::set<std::string> paths, asked;
    for (size_t source : needed)
      paths.insert(project.sources[source].path);
    for (size_t source : wanted)
      asked.insert(project.sources[source].path);
    for (const Diagnostic &diagnostic : found.list()) {
      const std::set<std::string> &list = diagnostic.code == Diag::ModuleTwice.code ? asked : paths;
      if (diagnostic.code != Diag::ModuleAmbiguous.code &&
          (diagnostic.range.file.empty() || list.count(diagnostic.range.file)))
        diagnostics.add(diagnostic);
    }
  }

  void begin(size_t source) {
    size_t missing = 0;
    for (size_t other : graph.needs[source])
      if (!done.count(other)) {
        users[other].push_back(source);
        ++missing;
      }
    if (missing == 0)
      ready.push_back(source);
    else
      waitingFor[source] = missing;
  }

  void work() {
    while (!ready.empty() || (queue && running > 0)) {
      while (!ready.empty()) {
        size_t source = ready.front();
        ready.pop_front();
        check(source);
      }
      if (queue)
        queue->run(); // `finish` adds more to the queue itself
    }
  }

  void check(size_t source) {
    AnalysisRequest request =
        makeRequest(project.sources[source], options, MpiPurpose::Check, diagnostics);
    std::string key = keyOf(source, request);
    if (findInCache(source, key))
      return;
    provideModules(source);
    if ((!queue && !startWorker(request.front)) || !queue)
      return finish(source, {});
    folders.use(source, graph, request.front);
    ++running;
    FrontendOptions front = request.front;
    auto begin = fileTimeNow();
    queue->add(std::move(request), [this, source, key, front, begin](Analysis analysis) {
      --running;
      moduleFiles[source] = readModules(source, analysis);
      onDisk.insert(source);
      std::vector<std::string> outside =
          outsideFiles(front, textOf(front), analysis.modulesUsed, options.moduleDirectory);
      std::vector<std::string> read = analysis.files;
      read.insert(read.end(), outside.begin(), outside.end());
      // What a crash left over must not be remembered.
      if (!endedEarly(analysis) && areUnchangedSince(read, begin))
        cache.store(key, {analysis, moduleFiles[source], outside});
      finish(source, {std::move(analysis), false, std::move(outside), {}});
      while (!ready.empty()) {
        size_t next = ready.front();
        ready.pop_front();
        check(next);
      }
    });
  }

  bool findInCache(size_t source) {
    return findInCache(source,
                       keyOf(source, requestFor(project.sources[source], options, diagnostics)));
  }

  bool findInCache(size_t source, const std::string &key) {
    std::optional<CachedAnalysis> known = cache.find(key);
    if (!known)
      return false;
    moduleFiles[source] = std::move(known->modules);
    finish(source, {std::move(known->analysis), true, std::move(known->outside), {}});
    return true;
  }

  bool startWorker(const FrontendOptions &front) {
    FrontendOptions defaults = front;
    defaults.text.reset();
    defaults.cuda = true;
    worker = Worker::start(defaults);
    if (worker)
      queue.emplace(*worker, options.jobs);
    else
      diagnostics.report(Diag::NoWorker, {});
    return worker != nullptr;
  }

  std::string keyOf(size_t index, const AnalysisRequest &request) const {
    ArchiveWriter writer;
    AnalysisRequest named = request;
    named.front.moduleDirectory.clear();
    std::string text = request.front.text ? "" : textOf(request.front);
    writer(options.version, toBytes(named), text);
    for (size_t other : graph.needs[index])
      for (const ModuleInterface &module : done.at(other).analysis.interfaces)
        writer(module.name, module.hash);
    return contentHash(writer.bytes).text();
  }

  static std::string textOf(const FrontendOptions &front) {
    std::string text = front.text.value_or("");
    if (!front.text)
      readFile(front.path, text);
    return text;
  }

  // Puts the module files of all that a source needs where flang looks for them.
  void provideModules(size_t source) {
    for (size_t other : graph.needs[source])
      if (provide(other))
        provideModules(other);
  }

  // False if its module files are there already.
  bool provide(size_t source) {
    if (!onDisk.insert(source).second)
      return false;
    for (const auto &[name, content] : moduleFiles[source])
      writeFile(folders.of(source) + "/" + name, content);
    return true;
  }

  std::vector<ModuleFile> readModules(size_t source, const Analysis &analysis) const {
    std::vector<ModuleFile> files;
    for (const ModuleInterface &module : analysis.interfaces) {
      std::string name = moduleFileName(module.name), content;
      if (module.hash != 0 && readFile(folders.of(source) + "/" + name, content))
        files.emplace_back(name, content);
    }
    return files;
  }

  void finish(size_t source, CheckedSource checked) {
    auto interfacesOf = [&](size_t other) { return &done.at(other).analysis.interfaces; };
    sayMissingModules(project, graph, source, interfacesOf, checked.analysis);
    if (options.keepModules) {
      Diagnostics known;
      checked.front = requestFor(project.sources[source], options, known).front;
      folders.use(source, graph, checked.front);
    }
    if (options.finished)
      options.finished(source, checked, moduleFiles[source]);
    done.emplace(source, std::move(checked));
    for (size_t user : users[source])
      if (--waitingFor[user] == 0)
        ready.push_back(user);
  }

  const Project &project;
  const SourceGraph &graph;
  const ProjectCheckOptions &options;
  const AnalysisCache &cache;
  Diagnostics &diagnostics;
  std::set<size_t> needed, onDisk;
  ModuleFolders folders;
  std::map<size_t, CheckedSource> done;
  std::map<size_t, std::vector<ModuleFile>> moduleFiles;
  std::map<size_t, std::vector<size_t>> users;
  std::map<size_t, size_t> waitingFor;
  std::deque<size_t> ready;
  std::unique_ptr<Worker> worker;
  std::optional<AnalysisQueue> queue;
  size_t running = 0;
};

} // namespace

AnalysisRequest requestFor(const ProjectSource &source, const ProjectCheckOptions &options,
                           Diagnostics &diagnostics) {
  return makeRequest(source, options, MpiPurpose::Show, diagnostics);
}

std::map<size_t, CheckedSource> checkProject(const Project &project,
                                             const std::vector<size_t> &wanted,
                                             const ProjectCheckOptions &options,
                                             const AnalysisCache &cache, Diagnostics &diagnostics) {
  Diagnostics found;
  SourceGraph graph = makeSourceGraph(project, ownModuleFolders(options.installation), found);
  return ProjectCheck(project, graph, options, cache, diagnostics).run(wanted, found);
}

std::optional<KnownSource> knownSource(const Project &project, const SourceGraph &graph,
                                       size_t source, const ProjectCheckOptions &options,
                                       const AnalysisCache &cache) {
  Diagnostics ignored;
  return ProjectCheck(project, graph, options, cache, ignored).known(source);
}

} // namespace cufc
