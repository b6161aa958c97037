// Files are grouped by the project file of the folder they lie in. All folders without one are one
// project, so that files given together find each other's modules.
#include "commands/check_run.h"
#include "base/diag.h"
#include "base/flags_diag.h"
#include "commands/caches.h"
#include "driver/options.h"
#include "service/missing_flags.h"
#include "service/module_folders.h"
#include "source/allow_comments.h"
#include "source/source_form.h"
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <set>
#include <tuple>
#include <unistd.h>

namespace cufc {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t cacheBytes = std::uint64_t(1) << 30;

// Options that decide how a text is read.
struct Reading {
  bool fixedForm;
  int columns;
};

Reading readingOf(const ProjectSource &source) {
  Diagnostics ignored;
  Options options = parseOptions(source.arguments, ignored);
  SourceForm form = sourceForm(source.path).value_or(SourceForm{FileKind::Fortran});
  return {options.fixedForm.value_or(form.fixed), options.language.fixedColumns};
}

auto placeOf(const Diagnostic &d) {
  return std::tie(d.range.file, d.range.line, d.range.column, d.code, d.message);
}

void sortAndUnite(std::vector<Diagnostic> &list) {
  std::sort(list.begin(), list.end(),
            [](const Diagnostic &a, const Diagnostic &b) { return placeOf(a) < placeOf(b); });
  list.erase(std::unique(
                 list.begin(), list.end(),
                 [](const Diagnostic &a, const Diagnostic &b) { return placeOf(a) == placeOf(b); }),
             list.end());
}

std::vector<Diagnostic> shownOf(const ProjectSource &source, const Analysis &analysis,
                                const DiagnosticSettings &settings) {
  std::string text;
  readFile(source.path, text);
  Reading reading = readingOf(source);
  return shownDiagnostics(analysis.diagnostics, source.path, text, reading.fixedForm,
                          reading.columns, settings);
}

} // namespace

CheckRun::CheckRun(Arguments flags)
    : jobs(static_cast<size_t>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)))),
      flags(std::move(flags)) {}

void CheckRun::add(const std::string &path, Diagnostics &diagnostics) {
  std::error_code error;
  std::string absolute = absolutePath(path);
  if (fs::is_directory(absolute, error)) {
    Part &part = partOf(absolute, true, diagnostics);
    for (const ProjectSource &source : std::vector(part.project.sources))
      if (source.path.starts_with(absolute + "/") || absolute == "/")
        addSource(part, source.path, false);
    if (part.wanted.empty() && !diagnostics.hasErrors()) // those of a project file say more
      diagnostics.report(Diag::NoSourcesIn, {}, path);
    return;
  }
  if (access(absolute.c_str(), R_OK) != 0)
    return void(diagnostics.report(Diag::CannotRead, {}, path, std::strerror(errno)));
  std::optional<SourceForm> form = sourceForm(absolute);
  if (form && form->kind != FileKind::Fortran)
    return void(diagnostics.report(Diag::NotFortran, {}, path));
  addSource(partOf(directoryOf(absolute), false, diagnostics), absolute, true);
}

CheckRun::Part &CheckRun::partOf(const std::string &folder, bool whole, Diagnostics &diagnostics) {
  Part *&known = partsOfFolders[{folder, whole}];
  if (known)
    return *known;
  Diagnostics found;
  ScanOptions scan{keptScans()};
  scan.none = !whole;
  scan.flags = cacheFolder("flags");
  Project loaded = loadProject(folder, found, scan);
  for (ProjectSource &source : loaded.sources)
    source.arguments.insert(source.arguments.end(), flags.begin(), flags.end());
  auto [place, isNew] = parts.try_emplace(loaded.file);
  known = &place->second;
  Project &project = known->project;
  bool more = isNew || loaded.file.empty();
  if (isNew && !loaded.outdated.empty())
    found.report(FlagsDiag::FlagsOutdated, {}, loaded.outdated);
  for (const Diagnostic &diagnostic : found.list())
    if (more)
      diagnostics.add(diagnostic);
  if (isNew)
    project = std::move(loaded);
  else if (more)
    for (size_t i = 0; i < loaded.sources.size(); ++i)
      if (!project.find(loaded.sources[i].path)) {
        project.sources.push_back(loaded.sources[i]);
        project.facts.push_back(loaded.facts[i]);
      }
  return *known;
}

// A file that the project does not list is one of it for the time being.
void CheckRun::addSource(Part &part, const std::string &path, bool asked) {
  Project &project = part.project;
  bool known = false;
  for (size_t i = 0; i < project.sources.size(); ++i)
    if (project.sources[i].path == path) {
      known = true;
      project.sources[i].asked |= asked;
      if (std::find(part.wanted.begin(), part.wanted.end(), i) == part.wanted.end())
        part.wanted.push_back(i);
    }
  if (known)
    return;
  ProjectSource source{path, directoryOf(path), project.argumentsFor(path), asked};
  ModuleFacts facts = scanSource(source);
  if (project.isFolder())
    for (std::string &argument : foundSource(path, source.directory, facts).arguments)
      source.arguments.push_back(std::move(argument));
  source.arguments.insert(source.arguments.end(), flags.begin(), flags.end());
  project.facts.push_back(std::move(facts));
  project.sources.push_back(std::move(source));
  part.wanted.push_back(project.sources.size() - 1);
}

// When all is there that was asked for, since files that are given together find each other.
void CheckRun::addNeeded(Part &part) {
  Project &project = part.project;
  if (!project.isFolder())
    return;
  if (!finder)
    finder.emplace(ScanOptions{keptScans()});
  for (size_t source : part.wanted) {
    size_t before = project.sources.size();
    finder->addNeeded(project, source, directoryOf(project.sources[source].path));
    for (size_t added = before; added < project.sources.size(); ++added) {
      std::vector<std::string> &arguments = project.sources[added].arguments;
      arguments.insert(arguments.begin(), project.arguments.begin(), project.arguments.end());
      arguments.insert(arguments.end(), flags.begin(), flags.end());
    }
  }
}

std::string CheckRun::keptScans() const { return useCache ? cacheFolder("scans") : ""; }

void CheckRun::setSeverity(const std::string &key, const std::string &severity,
                           Diagnostics &diagnostics) {
  if (DiagnosticSettings().set(key, severity, diagnostics))
    severities.emplace_back(key, severity);
}

void CheckRun::setTexts(const std::map<std::string, std::string> &texts,
                        const std::map<std::string, std::string> &renamed) {
  options.texts = texts;
  for (auto &[folder, part] : parts)
    for (size_t i = 0; i < part.project.sources.size(); ++i) {
      ProjectSource &source = part.project.sources[i];
      if (auto name = renamed.find(source.path); name != renamed.end()) {
        source.path = name->second;
        bool fixed = sourceForm(source.path).value_or(SourceForm{FileKind::Fortran}).fixed;
        if (!fixed)
          source.arguments.push_back("-Mfree");
        else if (!source.arguments.empty() && source.arguments.back() == "-Mfree")
          source.arguments.pop_back();
      }
      auto text = texts.find(source.path);
      part.project.facts[i] =
          text == texts.end() ? scanSource(source) : scanSource(source, text->second);
    }
}

DiagnosticSettings CheckRun::settingsOf(const Project &project, Diagnostics &diagnostics) const {
  DiagnosticSettings settings;
  for (const auto &[key, severity] : project.diagnostics) {
    Diagnostics found;
    settings.set(key.text, severity.text, found);
    for (Diagnostic diagnostic : found.list()) {
      diagnostic.range = key.range;
      diagnostics.add(std::move(diagnostic));
    }
  }
  for (const auto &[key, severity] : severities)
    settings.set(key, severity, diagnostics);
  if (warningsAreErrors)
    settings.makeWarningsErrors();
  return settings;
}

std::vector<Diagnostic> CheckRun::check(Diagnostics &diagnostics) {
  if (options.version.empty()) {
    options.installation = findInstallation(diagnostics);
    options.toolkit = findToolkit();
    options.version = compilerIdentity(options.installation);
    options.jobs = jobs;
    options.keepModules = watching || keepAnalyses;
  }
  analysed = cached = 0;
  analyses.clear();
  std::vector<Diagnostic> found;
  size_t number = 0;
  for (auto &[folder, part] : parts) {
    std::error_code ignored; // an error shows when modules are missing
    part.modules = scratch.path("part" + std::to_string(++number));
    std::filesystem::create_directory(part.modules, ignored);
    addNeeded(part);
    checkPart(part, found, diagnostics);
  }
  sortAndUnite(found);
  return found;
}

void CheckRun::readAgain() {
  for (auto &[folder, part] : parts)
    for (size_t source : part.wanted)
      part.project.facts[source] = scanSource(part.project.sources[source]);
}

void CheckRun::checkPart(Part &part, std::vector<Diagnostic> &found, Diagnostics &diagnostics) {
  AnalysisCache cache(useCache ? cacheFolder("analyses") : "");
  DiagnosticSettings settings = settingsOf(part.project, diagnostics);
  options.moduleDirectory = part.modules;
  std::map<size_t, CheckedSource> checked =
      checkProject(part.project, part.wanted, options, cache, diagnostics);
  for (auto &[source, result] : checked)
    ++(result.cached ? cached : analysed);
  for (auto &[source, result] : checked)
    outside[part.project.sources[source].path] = result.outside;
  if (useCache && analysed > 0)
    cache.prune(cacheBytes);
  sayMissingFlags(part, checked, diagnostics);
  if (keepAnalyses)
    for (size_t source : part.wanted)
      keep(part.project.sources[source], checked.at(source));
  for (size_t source : part.wanted)
    for (Diagnostic &diagnostic :
         shownOf(part.project.sources[source], checked.at(source).analysis, settings))
      found.push_back(std::move(diagnostic));
}

// Once for a project, where a build may know what files lack.
void CheckRun::sayMissingFlags(const Part &part, const std::map<size_t, CheckedSource> &checked,
                               Diagnostics &diagnostics) const {
  MissingFlags missing;
  for (size_t source : part.wanted) {
    const ProjectSource &file = part.project.sources[source];
    std::string text;
    Diagnostics known;
    std::vector<std::string> macros;
    for (const auto &[macro, isDefined] : requestFor(file, options, known).front.macros)
      if (isDefined)
        macros.push_back(macro);
    if (readFile(file.path, text))
      missing.add(checked.at(source).analysis, file.path, text, macros);
  }
  for (const Diagnostic &notice : missing.notice(part.project, "--flags-from={} asks the build"))
    diagnostics.add(notice);
}

void CheckRun::keep(const ProjectSource &source, const CheckedSource &checked) {
  Diagnostics known;
  Options parsed = parseOptions(source.arguments, known);
  int gpu = parsed.gpus.empty() ? 0 : parsed.gpus.front().number;
  analyses.push_back({source.path, checked.analysis, costRequest(checked.front, parsed, gpu)});
}

std::map<std::string, AnalysisRequest> CheckRun::requests() const {
  std::map<std::string, AnalysisRequest> result;
  Diagnostics known;
  for (const auto &[folder, part] : parts) {
    SourceGraph graph = makeSourceGraph(part.project, {}, known);
    ModuleFolders modules(part.project, graph, part.modules);
    for (size_t source : part.wanted) {
      AnalysisRequest request = requestFor(part.project.sources[source], options, known);
      modules.use(source, graph, request.front);
      result.emplace(part.project.sources[source].path, std::move(request));
    }
  }
  return result;
}

std::vector<Diagnostic> CheckRun::shown(const std::string &path, const Analysis &analysis) const {
  Diagnostics known;
  for (const auto &[folder, part] : parts)
    for (size_t source : part.wanted)
      if (part.project.sources[source].path == path)
        return shownOf(part.project.sources[source], analysis, settingsOf(part.project, known));
  return analysis.diagnostics;
}

std::vector<Diagnostic> CheckRun::shownWith(const std::vector<Diagnostic> &more) const {
  std::vector<Diagnostic> result;
  for (const Kept &file : analyses) {
    Analysis analysis = file.analysis;
    for (const Diagnostic &diagnostic : more)
      if (diagnostic.range.file == file.path)
        analysis.diagnostics.push_back(diagnostic);
    for (Diagnostic &diagnostic : shown(file.path, analysis))
      result.push_back(std::move(diagnostic));
  }
  sortAndUnite(result);
  return result;
}

std::vector<std::string> CheckRun::files() const {
  std::set<std::string> paths;
  for (const auto &[folder, part] : parts)
    for (size_t source : part.wanted)
      paths.insert(part.project.sources[source].path);
  return {paths.begin(), paths.end()};
}

} // namespace cufc
