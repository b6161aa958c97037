// Documents as the client edits them, their analyses, and the diagnostics that follow.
#include "analysis/interface_hash.h"
#include "ide/included_files.h"
#include "index/module_view.h"
#include "project/project.h"
#include "server/diagnostics_json.h"
#include "server/server.h"
#include "server/texts.h"
#include "service/missing_flags.h"
#include "service/missing_modules.h"
#include "service/outside_files.h"
#include "source/allow_comments.h"
#include "source/source_form.h"
#include <filesystem>

namespace cufc {
namespace {

constexpr size_t mostCrashes = 2; // of one text, after which it is not tried again

bool isCrash(const Analysis &analysis) {
  for (const Diagnostic &diagnostic : analysis.diagnostics)
    if (const DiagnosticInfo *row = findDiagnostic(diagnostic.code);
        row && std::string_view(row->group) == "internal")
      return true;
  return false;
}

// A build says much of what the analysis has said already.
void addProblems(Json &list, const std::vector<Diagnostic> &problems, const std::string &path,
                 Positions &texts) {
  for (const Diagnostic &problem : problems) {
    Json json = toJson(problem, path, "", texts);
    bool known = std::any_of(list.begin(), list.end(), [&](const Json &other) {
      return other["message"] == json["message"] &&
             other["range"]["start"]["line"] == json["range"]["start"]["line"];
    });
    json["source"] = "cufls build";
    if (!known)
      list.push_back(std::move(json));
  }
}

// The names of modules that came, went, or look different to those who use them.
std::set<std::string> changedModules(const std::vector<ModuleInterface> &before,
                                     const std::vector<ModuleInterface> &after) {
  std::set<std::string> names;
  for (const auto &[list, other] : {std::pair(&before, &after), std::pair(&after, &before)})
    for (const ModuleInterface &module : *list)
      if (std::none_of(other->begin(), other->end(), [&](const ModuleInterface &same) {
            return same.name == module.name && same.hash == module.hash;
          }))
        names.insert(module.name);
  return names;
}

} // namespace

SourceFile &Server::openFile(const Json &params) {
  std::string uri = params.at("textDocument").at("uri");
  const SourceFile *file = workspace.find(pathOfUri(uri));
  if (!file || !file->open)
    throw ResponseError{ErrorCode::InvalidParams, "the document is not open: " + uri};
  return workspace.file(file->path);
}

void Server::didOpen(const Json &params) {
  const Json &item = params.at("textDocument");
  std::string uri = item.at("uri"), path = pathOfUri(uri);
  uris[path] = uri;
  versions[path] = item.value("version", Json());
  if (isModuleView(path)) {
    SourceFile &view = workspace.file(path);
    view.open = true;
    return view.document.replace(item.at("text"));
  }
  LoadedProject &project = projects.of(path);
  SourceFile &file = workspace.file(path);
  file.open = true;
  // The index may know the file as it is on disk.
  std::string text = item.at("text"), onDisk;
  bool known = file.analysis && readFile(path, onDisk) && onDisk == text;
  file.document.replace(std::move(text));
  bool good = projects.addOpen(project, path);
  known &= !projects.followCuda(project, path, true);
  file.reading = projects.readingOf(project, path);
  if (!known)
    workspace.dropAnalysis(path);
  publishMistakes(project);
  if (clientPulls())
    withdraw(path);
  sendInactiveRegions(file);
  if (!good || (!known && !projects.rescan(project, path)))
    return reloadProjects();
  analyse(path);
}

// What an earlier run has found for this very text stands until the analysis comes.
void Server::takeKnownAnalysis(LoadedProject &project, const std::string &path) {
  std::optional<size_t> source = project.sourceOf(path);
  if (!source || workspace.file(path).analysis)
    return;
  std::optional<KnownSource> found = projects.knownSource(project, *source);
  if (!found)
    return;
  for (const auto &[other, files] : found->modules)
    if (project.provided.insert(other).second)
      for (const auto &[name, content] : files)
        writeFile(project.modules.of(other) + "/" + name, content);
  for (const auto &[other, interfaces] : found->interfaces)
    project.interfaces.emplace(project.project.sources[other].path, interfaces);
  workspace.setAnalysis(path, std::make_shared<Analysis>(std::move(found->analysis)));
  known.insert(path);
  publish(path);
  answerWaiting();
}

// Begins to analyse a file that was opened, as soon as the modules are there that it needs.
void Server::analyse(const std::string &path) {
  LoadedProject &project = projects.of(path);
  takeKnownAnalysis(project, path);
  if (std::optional<size_t> source = project.sourceOf(path)) {
    std::set<size_t> needs = project.needsOf(*source);
    bool missing = false;
    for (size_t other : needs)
      missing |= !project.provided.contains(other);
    if (missing) {
      waitingForModules.insert(path);
      startIndex(project);
      return;
    }
  }
  waitingForModules.erase(path);
  analysedSince[path] = fileTimeNow();
  analyses->open(path, projects.requestFor(project, path), workspace.file(path).document.text());
  sendStatus();
  if (project.stale)
    scheduleIndex(500);
}

void Server::didChange(const Json &params) {
  SourceFile &file = openFile(params);
  versions[file.path] = params.at("textDocument").value("version", Json());
  Positions positions = this->positions();
  for (const Json &change : params.at("contentChanges")) {
    TextChange edit{file.document.all(), change.at("text")};
    if (change.contains("range"))
      edit.range = positions.range(file.document, change["range"]);
    edit.range.end = std::max(edit.range.begin, edit.range.end);
    edit = file.document.shortened(edit);
    typing.edited(file.path, edit, !change.contains("range"), Typing::Clock::now());
    file.edits.add(edit);
    file.document.apply(edit);
  }
  crashes.erase(file.path);
  known.erase(file.path);
  sendInactiveRegions(file);
  tasks.forgetProblems(file.path);
  costs.edited(file.path);
  pauseIndex();
  if (projects.followCuda(projects.of(file.path), file.path, false))
    return becomeCuda(file.path);
  analyses->update(file.path, file.document.text());
  sendStatus();
}

// Or no CUDA Fortran any more: another dialect, so the analysis begins anew.
void Server::becomeCuda(const std::string &path) {
  workspace.file(path).reading = projects.readingOf(projects.of(path), path);
  analyses->close(path);
  analyse(path);
}

// What is saved is likely to be opened again, and the index keeps its analysis.
void Server::didSave(const Json &params) {
  std::string path = openFile(params).path;
  typing.pauses(path);
  publish(path);
  LoadedProject &project = projects.of(path);
  if (projects.followCuda(project, path, true))
    becomeCuda(path);
  project.stale = true;
  scheduleIndex(2000);
}

void Server::didClose(const Json &params) {
  SourceFile &file = openFile(params);
  std::string path = file.path;
  analyses->close(path);
  costs.forget(path);
  waitingForModules.erase(path);
  analysedSince.erase(path);
  uris.erase(path);
  versions.erase(path);
  tokenResults.forget(path);
  inactive.erase(path);
  known.erase(path);
  typing.forget(path);
  file.open = false;
  file.edits.clear();
  file.document.replace({});
  if (isModuleView(path))
    return answerWaiting();
  LoadedProject &project = projects.of(path);
  if (std::optional<size_t> source = project.sourceOf(path);
      !source || *source >= project.listed) { // nobody else knows it
    workspace.remove(path);
    withdraw(path);
  } else if (projects.rescan(project, path)) { // what was not saved is gone
    project.stale = true;
    scheduleIndex(500);
  } else {
    reloadProjects();
  }
  if (const SourceFile *closed = workspace.find(path); closed && closed->analysis && clientPulls())
    publish(path);
  answerWaiting();
}

void Server::analysed(const std::string &path, const Analysis &found,
                      FileSession::Quality quality) {
  const SourceFile *file = workspace.find(path);
  if (!file || !file->open)
    return;
  if (isCrash(found) && ++crashes[path] < mostCrashes) {
    log.write("the analysis of " + path + " ended early; it is tried again");
    return analyses->update(path, file->document.text());
  }
  known.erase(path);
  auto analysis = std::make_shared<Analysis>(found);
  // Without symbols the last good analysis says more.
  if (isCrash(found) && file->analysis && found.symbols.empty()) {
    auto last = std::make_shared<Analysis>(*file->analysis);
    last->diagnostics = found.diagnostics;
    analysis = std::move(last);
  }
  sayMissingModules(path, *analysis);
  workspace.setAnalysis(path, analysis);
  publish(path);
  costs.analysed(path);
  if (quality == FileSession::Quality::Whole) {
    noteOutsideSoon(path);
    if (modulesFollow(path, *analysis)) {
      projects.of(path).stale = true;
      scheduleIndex(1000);
    }
    removeLeftModules(path, *analysis);
  }
  answerWaiting();
  scheduleRefresh();
  sendStatus();
}

// As a project's check says it too: an older module file may still be there.
void Server::sayMissingModules(const std::string &path, Analysis &analysis) {
  dropConsequencesOfIncludes(analysis);
  LoadedProject &project = projects.of(path);
  std::optional<size_t> source = project.sourceOf(path);
  auto lacksModules = [&](const auto &made) {
    return made.first != path &&
           std::any_of(made.second.begin(), made.second.end(), [](const auto &module) {
             return module.hash == 0 || lacksDeclarations(module.hash);
           });
  };
  // Reading the text again is only worth it then.
  if (!source || (!project.graph.ambiguous.contains(*source) &&
                  std::none_of(project.interfaces.begin(), project.interfaces.end(), lacksModules)))
    return;
  if (!projects.rescan(project, path))
    return asio::post(loop, [this] { reloadProjects(); });
  auto interfacesOf = [&](size_t other) -> const std::vector<ModuleInterface> * {
    auto made = project.interfaces.find(project.project.sources[other].path);
    return made == project.interfaces.end() ? nullptr : &made->second;
  };
  cufc::sayMissingModules(project.project, project.graph, *source, interfacesOf, analysis);
}

// Module files of analyses that were ended before they told of them: no text of the project defines
// such a module.
void Server::removeLeftModules(const std::string &path, const Analysis &analysis) {
  LoadedProject &project = projects.of(path);
  const std::string folder = project.moduleFolder(path);
  std::error_code error;
  auto changed = std::filesystem::last_write_time(folder, error);
  if (auto seen = project.foldersSeen.find(folder);
      error || (seen != project.foldersSeen.end() && seen->second == changed))
    return;
  std::set<std::string> defined;
  for (const ModuleInterface &module : analysis.interfaces)
    defined.insert(moduleFileName(module.name));
  for (const auto &[other, interfaces] : project.interfaces)
    for (const ModuleInterface &module : interfaces)
      if (other != path)
        defined.insert(moduleFileName(module.name));
  const std::optional<size_t> own = project.sourceOf(path);
  for (size_t i = 0; i < project.project.facts.size(); ++i)
    for (const ModuleStatement &module : project.project.facts[i].defines)
      if (i != own)
        defined.insert(moduleFileName(module.name));
  std::set<std::string> left;
  for (const auto &entry : std::filesystem::directory_iterator(folder, error))
    if (const std::filesystem::path &file = entry.path();
        file.extension() == ".mod" && !defined.contains(file.filename()))
      left.insert(file.stem());
  for (const std::string &name : left)
    std::remove((folder + "/" + name + ".mod").c_str());
  project.foldersSeen[folder] = std::filesystem::last_write_time(folder, error);
  tellUsers(left);
}

void Server::tellUsers(const std::set<std::string> &modules) {
  if (modules.empty())
    return;
  for (const auto &[path, uri] : uris)
    if (analyses->isOpen(path) && mayUse(path, modules)) {
      analyses->modulesChanged(path);
      costs.modulesChanged(path);
    }
}

// Files that use a changed module are analysed again, those that are not open by the index. True if
// there are any changes.
bool Server::modulesFollow(const std::string &path, const Analysis &analysis) {
  LoadedProject &project = projects.of(path);
  std::vector<ModuleInterface> &known = project.interfaces[path];
  std::set<std::string> names = changedModules(known, analysis.interfaces);
  if (names.empty())
    return false;
  std::string folder = project.moduleFolder(path) + "/";
  auto remains = [&](const std::string &name) {
    return workspace.moduleFile(name, workspace.find(path)) ||
           std::any_of(known.begin(), known.end(),
                       [&](const auto &now) { return now.name == name; });
  };
  for (const ModuleInterface &module : std::exchange(known, analysis.interfaces))
    if (!remains(module.name)) // its file would still be found
      std::remove((folder + moduleFileName(module.name)).c_str());
  for (const ModuleInterface &module : analysis.interfaces)
    if (module.hash != 0 && !std::filesystem::exists(folder + moduleFileName(module.name)))
      analyses->modulesChanged(path); // another source had it before, and its file has gone
  tellUsers(names);
  return true;
}

bool Server::mayUse(const std::string &path, const std::set<std::string> &modules) {
  auto isOne = [&](const std::string &name) { return modules.contains(name); };
  if (const SourceFile *file = workspace.find(path); file && file->analysis)
    return std::any_of(file->analysis->modulesUsed.begin(), file->analysis->modulesUsed.end(),
                       isOne);
  LoadedProject &project = projects.of(path);
  std::optional<size_t> source = project.sourceOf(path);
  if (!source)
    return true;
  const std::vector<ModuleStatement> &uses = project.project.facts[*source].uses;
  return std::any_of(uses.begin(), uses.end(),
                     [&](const ModuleStatement &use) { return isOne(use.name); });
}

void Server::workerDied() {
  log.write("the analysis process ended and was started again");
  notify("window/logMessage",
         {{"type", 2},
          {"message", "cufls: the analysis process ended unexpectedly and was started again"}});
  sendStatus();
}

std::vector<Diagnostic> Server::shownDiagnosticsOf(const SourceFile &file) {
  if (!file.analysis)
    return {};
  LoadedProject &project = projects.of(file.path);
  Positions texts = positions();
  const std::string &text = texts.document(file.path).text();
  std::vector<Diagnostic> list = file.analysis->diagnostics;
  for (Diagnostic &diagnostic : costs.diagnosticsOf(file.path))
    list.push_back(std::move(diagnostic));
  // While the folder is looked through a module may yet be found.
  if (!project.project.complete && !projects.scansFolder().empty())
    std::erase_if(list, [](const Diagnostic &d) { return d.code == "CUF1103"; });
  showAtIncludes(list, texts.document(file.path), file.path, file.reading, textReader(workspace));
  return shownDiagnostics(std::move(list), file.path, text, file.reading.fixedForm,
                          file.reading.columns, project.settings);
}

Json Server::diagnosticsJson(const SourceFile &file) {
  Positions texts = positions();
  Json list = Json::array();
  std::vector<Diagnostic> shown =
      typing.shown(file, shownDiagnosticsOf(file), Typing::Clock::now());
  sayLater(file.path);
  for (const Diagnostic &diagnostic : shown)
    if (diagnostic.range.file.empty() || diagnostic.range.file == file.path)
      list.push_back(toJson(diagnostic, file.path, explanationPages(), texts));
  addProblems(list, tasks.problemsOf(file.path), file.path, texts);
  return list;
}

// What is kept back while somebody types.
void Server::sayLater(const std::string &path) {
  std::optional<Typing::Clock::time_point> due = typing.due(path);
  if (!due)
    return;
  typingTimer.expires_at(*due);
  typingTimer.async_wait([this, path](const asio::error_code &error) {
    if (const SourceFile *file = workspace.find(path); !error && file && file->open)
      publish(path);
  });
}

// What was said of a file is taken back.
void Server::withdraw(const std::string &path) {
  if (published.erase(path) != 0)
    notify("textDocument/publishDiagnostics",
           {{"uri", positions().uri(path)}, {"diagnostics", Json::array()}});
}

void Server::publish(const std::string &path) {
  const SourceFile &file = workspace.file(path);
  if (file.open && clientPulls())
    return scheduleRefresh();
  Positions texts = positions();
  Json list = diagnosticsJson(file);
  if (list.empty() && !file.open && !published.contains(path))
    return;
  Json params = {{"uri", texts.uri(path)}, {"diagnostics", std::move(list)}};
  if (auto version = versions.find(path); version != versions.end() && !version->second.is_null())
    params["version"] = version->second;
  published.insert(path);
  notify("textDocument/publishDiagnostics", std::move(params));
}

void Server::publishMistakes(const LoadedProject &project) {
  if (project.project.file.empty())
    return;
  Positions texts = positions();
  Json list = Json::array();
  for (const Diagnostic &diagnostic : project.mistakes.list())
    if (diagnostic.range.file == project.project.file)
      list.push_back(toJson(diagnostic, project.project.file, explanationPages(), texts));
  if (list.empty() && !published.contains(project.project.file))
    return;
  published.insert(project.project.file);
  notify("textDocument/publishDiagnostics",
         {{"uri", texts.uri(project.project.file)}, {"diagnostics", std::move(list)}});
}

} // namespace cufc
