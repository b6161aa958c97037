// See host.h. Documents, and what follows when they are edited and when their analyses come.
#include "host/host.h"
#include "host/texts.h"
#include "ide/included_files.h"
#include "index/module_view.h"
#include "source/allow_comments.h"
#include <algorithm>
#include <filesystem>

namespace cufc {
namespace {

constexpr size_t mostCrashes = 2; // of one text, after which it is not tried again

// This program under the name cufls, which decides what it is; /proc/self would be another's in a
// child.
std::string ownProgram() {
  std::error_code error;
  std::string self = std::filesystem::read_symlink("/proc/self/exe", error).string();
  return directoryOf(self) + "/cufls";
}

} // namespace

Host::Host(asio::io_context &loop, const HostOptions &options, HostObserver &observer)
    : projects(workspace, options.check, options.cacheFolder),
      parts{workspace, projects, analyses, observer},
      tasks(*this, loop, options.program.empty() ? ownProgram() : options.program),
      costs(parts, loop), observer(observer), loop(loop), views(parts), flagNotices(*this),
      typingTimer(loop), users(*this), outside(*this), index(*this),
      analyses(
          loop, options.defaults,
          [this](const std::string &path, const Analysis &analysis, FileSession::Quality quality) {
            analysed(path, analysis, quality);
          },
          [this] { workerDied(); }) {
  workspace.setDefinitions(&projects);
}

void Host::open(const std::string &path, std::string text) {
  openPaths.insert(path);
  if (isModuleView(path)) {
    SourceFile &view = workspace.file(path);
    view.open = true;
    return view.document.replace(std::move(text));
  }
  LoadedProject &project = projects.of(path);
  SourceFile &file = workspace.file(path);
  file.open = true;
  // The index may know the file as it is on disk.
  std::string onDisk;
  bool known = file.analysis && readFile(path, onDisk) && onDisk == text;
  file.document.replace(std::move(text));
  bool good = projects.addOpen(project, path);
  known &= !projects.followCuda(project, path, true);
  file.reading = projects.readingOf(project, path);
  if (!known)
    workspace.dropAnalysis(path);
  tellMistakes(project);
  if (!good || (!known && !projects.rescan(project, path)))
    return reload();
  analyse(path);
  users.followGraphs();
}

// What an earlier run has found for this very text stands until the analysis comes.
void Host::takeKnownAnalysis(LoadedProject &project, const std::string &path) {
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
  observer.diagnosticsChanged(path);
  observer.analysesAdvanced();
}

// Begins to analyse a file that was opened, as soon as the modules are there that it needs.
void Host::analyse(const std::string &path) {
  LoadedProject &project = projects.of(path);
  takeKnownAnalysis(project, path);
  if (std::optional<size_t> source = project.sourceOf(path)) {
    std::set<size_t> needs = project.needsOf(*source);
    bool missing = false;
    for (size_t other : needs)
      missing |= !project.provided.contains(other);
    if (missing) {
      index.waitFor(path);
      index.start(project);
      return;
    }
  }
  index.dontWait(path);
  outside.begun(path);
  analyses.open(path, projects.requestFor(project, path), workspace.file(path).document.text());
  observer.statusChanged();
  if (project.stale)
    index.schedule(500);
}

void Host::change(const std::string &path, TextChange change, bool wholeText) {
  if (!openPaths.contains(path))
    return;
  SourceFile &file = workspace.file(path);
  change.range.end = std::max(change.range.begin, change.range.end);
  change = file.document.shortened(change);
  typing.edited(path, change, wholeText, Typing::Clock::now());
  file.edits.add(change);
  file.document.apply(change);
}

void Host::edited(const std::string &path) {
  if (!openPaths.contains(path))
    return;
  crashes.erase(path);
  known.erase(path);
  tasks.forgetProblems(path);
  costs.edited(path);
  index.pause();
  if (projects.followCuda(projects.of(path), path, false))
    return becomeCuda(path);
  analyses.update(path, workspace.file(path).document.text());
  observer.statusChanged();
}

// Or no CUDA Fortran any more: another dialect, so the analysis begins anew.
void Host::becomeCuda(const std::string &path) {
  workspace.file(path).reading = projects.readingOf(projects.of(path), path);
  analyses.close(path);
  analyse(path);
}

// What is saved is likely to be opened again, and the index keeps its analysis.
void Host::saved(const std::string &path) {
  typing.pauses(path);
  observer.diagnosticsChanged(path);
  LoadedProject &project = projects.of(path);
  if (projects.followCuda(project, path, true))
    becomeCuda(path);
  // Whoever saves wants to know: perhaps it was not the text that ended the analysis.
  else if (crashes.erase(path) != 0 && !analyses.busy(path))
    analyses.update(path, workspace.file(path).document.text());
  project.stale = true;
  index.schedule(2000);
}

// Whether other open files use its modules.
bool Host::isNeeded(const LoadedProject &project, const std::string &path) const {
  std::optional<size_t> source = project.sourceOf(path);
  return source && std::any_of(openPaths.begin(), openPaths.end(), [&](const std::string &other) {
           std::optional<size_t> user = project.sourceOf(other);
           return user && project.needsOf(*user).contains(*source);
         });
}

void Host::close(const std::string &path) {
  if (openPaths.erase(path) == 0)
    return;
  SourceFile &file = workspace.file(path);
  analyses.close(path);
  costs.forget(path);
  index.dontWait(path);
  outside.forget(path);
  users.forget(path);
  crashes.erase(path);
  known.erase(path);
  typing.forget(path);
  file.open = false;
  file.edits.clear();
  file.document.replace({});
  if (isModuleView(path))
    return observer.analysesAdvanced();
  LoadedProject &project = projects.of(path);
  std::optional<size_t> source = project.sourceOf(path);
  bool needed = isNeeded(project, path);
  std::error_code error;
  if (!source || (*source >= project.listed &&
                  !(needed && std::filesystem::exists(path, error)))) { // nobody else knows it
    workspace.remove(path);
    observer.diagnosticsGone(path);
    if (needed) // its modules have gone with it
      reload();
  } else if (projects.rescan(project, path)) { // what was not saved is gone
    users.followGraphs();
    project.stale = true;
    index.schedule(500);
  } else {
    reload();
  }
  observer.analysesAdvanced();
}

void Host::analysed(const std::string &path, const Analysis &found, FileSession::Quality quality) {
  const SourceFile *file = workspace.find(path);
  if (!file || !file->open)
    return;
  const bool crashed = endedEarly(found);
  if (crashed && ++crashes[path] < mostCrashes) {
    observer.log("the analysis of " + path + " ended early; it is tried again");
    return analyses.update(path, file->document.text());
  }
  if (!crashed && quality == FileSession::Quality::Whole)
    crashes.erase(path);
  known.erase(path);
  auto analysis = std::make_shared<Analysis>(found);
  // Without symbols the last good analysis says more.
  if (crashed && file->analysis && found.symbols.empty()) {
    auto last = std::make_shared<Analysis>(*file->analysis);
    last->diagnostics = found.diagnostics;
    analysis = std::move(last);
  }
  users.sayMissing(path, *analysis);
  workspace.setAnalysis(path, analysis);
  observer.diagnosticsChanged(path);
  costs.analysed(path);
  if (quality == FileSession::Quality::Whole) {
    outside.noteSoon(path);
    if (users.follow(path, *analysis)) {
      projects.of(path).stale = true;
      index.schedule(1000);
    }
    users.removeLeft(path, *analysis);
    users.followGraphs();
  }
  observer.analysesAdvanced();
  observer.meaningChanged();
  observer.statusChanged();
}

void Host::workerDied() {
  observer.log("the analysis process ended and was started again");
  observer.say(
      {Severity::Warning, "the analysis process ended unexpectedly and was started again", false});
  observer.statusChanged();
}

bool Host::isAnalysing(const std::string &path) const {
  return !known.contains(path) && (analyses.busy(path) || index.isWaiting(path));
}

std::vector<Diagnostic> Host::diagnosticsOf(const SourceFile &file) {
  if (!file.analysis)
    return {};
  LoadedProject &project = projects.of(file.path);
  Document onDisk;
  if (std::string text; !file.open && readFile(file.path, text))
    onDisk.replace(std::move(text));
  const Document &document = file.open ? file.document : onDisk;
  std::vector<Diagnostic> list = file.analysis->diagnostics;
  for (Diagnostic &diagnostic : costs.diagnosticsOf(file.path))
    list.push_back(std::move(diagnostic));
  // While the folder is looked through a module may yet be found.
  if (!project.project.complete && !projects.scansFolder().empty())
    std::erase_if(list, [](const Diagnostic &d) { return d.code == "CUF1103"; });
  showAtIncludes(list, document, file.path, file.reading, textReader(workspace));
  return shownDiagnostics(std::move(list), file.path, document.text(), file.reading.fixedForm,
                          file.reading.columns, project.settings);
}

std::vector<Diagnostic> Host::diagnosticsToShow(const SourceFile &file) {
  std::vector<Diagnostic> shown = typing.shown(file, diagnosticsOf(file), Typing::Clock::now());
  showLater(file.path);
  return shown;
}

// What is kept back while somebody types.
void Host::showLater(const std::string &path) {
  std::optional<Typing::Clock::time_point> due = typing.due(path);
  if (!due)
    return;
  typingTimer.expires_at(*due);
  typingTimer.async_wait([this, path](const asio::error_code &error) {
    if (const SourceFile *file = workspace.find(path); !error && file && file->open)
      observer.diagnosticsChanged(path);
  });
}

} // namespace cufc
