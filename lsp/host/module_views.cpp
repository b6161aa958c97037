// See module_views.h. A view is named by its content, so files that editors still show stay as they
// are when a module changes.
#include "host/module_views.h"
#include "driver/mpi.h"
#include "foreign/interface_texts.h"
#include "frontend/search_folders.h"
#include "host/analyses.h"
#include "host/observer.h"
#include "host/projects.h"
#include "ide/format.h"
#include "index/module_view.h"
#include "project/content_hash.h"
#include <filesystem>
#include <fmt/format.h>

namespace cufc {
namespace {

namespace fs = std::filesystem;

// As a person would write it, under a line that says what it is.
std::string readable(const std::string &module, const foreign::InterfaceText &interface) {
  Document document;
  document.replace(fmt::format("! The interface of module {}, as {} has it.\n{}", module,
                               interface.file, interface.text));
  std::vector<TextChange> changes = format(document, SourceReading{}, FormatOptions{});
  for (auto change = changes.rbegin(); change != changes.rend(); ++change)
    document.apply(*change);
  return document.text();
}

std::vector<std::string> foldersWithoutViews(const HostParts &parts, const LoadedProject &project,
                                             const FrontendOptions &front) {
  std::vector<std::string> folders{project.scratch.root(),
                                   parts.projects.checkOptions().installation.libraries};
  if (std::optional<MpiKit> kit = mpiKitOf(front))
    folders.push_back(kit->folder);
  return folders;
}

} // namespace

std::string ModuleViews::fileFor(const Key &key, const std::string &text) const {
  const std::string &analyses = parts.projects.analysesFolder();
  if (analyses.empty())
    return "";
  std::string hash = contentHash(key.first + '\n' + text).text();
  return fmt::format("{}/{}/{}/{}.f90", directoryOf(analyses), moduleViewsFolder, hash, key.second);
}

void ModuleViews::drop(const Key &key) {
  auto view = views.find(key);
  if (view == views.end())
    return;
  if (const SourceFile *file = parts.workspace.find(view->second); file && !file->open)
    parts.workspace.remove(view->second);
  views.erase(view);
}

void ModuleViews::follow(const std::string &path) {
  const SourceFile *file = parts.workspace.find(path);
  if (!file || !file->analysis)
    return;
  LoadedProject &project = parts.projects.of(path);
  FrontendOptions front = parts.projects.requestFor(project, path).front;
  const std::vector<std::string> &used = file->analysis->modulesUsed;
  std::map<std::string, foreign::InterfaceText> texts =
      foreign::interfaceTexts(used, moduleFolders(front), front.intrinsicModules,
                              foldersWithoutViews(parts, project, front));
  for (const std::string &module : used)
    if (!texts.contains(module))
      drop({project.folder, module});
  for (const auto &[module, interface] : texts) {
    Key key{project.folder, module};
    std::string text = readable(module, interface), view = fileFor(key, text);
    auto known = views.find(key);
    if (view.empty() || (known != views.end() && known->second == view))
      continue;
    drop(key);
    std::error_code ignored;
    fs::create_directories(directoryOf(view), ignored);
    if (!fs::exists(view, ignored) && !writeFile(view, text))
      continue;
    views[key] = view;
    analyse(view, path, text);
  }
}

void ModuleViews::analyse(const std::string &path, const std::string &user,
                          const std::string &text) {
  LoadedProject &project = parts.projects.of(user);
  AnalysisRequest request = parts.projects.requestFor(project, user);
  FrontendOptions &front = request.front;
  std::error_code ignored;
  front.includes.insert(front.includes.begin(), {front.moduleDirectory, directoryOf(user)});
  front.moduleDirectory = scratch.path(contentHash(path).text());
  fs::create_directories(front.moduleDirectory, ignored);
  front.path = path;
  front.text = text;
  front.fixedForm = front.preprocess = front.warnings = false;
  request.background = true;
  SourceReading reading = parts.projects.readingOf(project, user);
  reading.fixedForm = reading.preprocess = false;
  parts.workspace.file(path).reading = std::move(reading);
  parts.analyses.once(request, [this, path](Analysis analysis) {
    if (analysis.symbols.empty() || !parts.workspace.find(path))
      return;
    analysis.diagnostics.clear();
    parts.workspace.setAnalysis(path, std::make_shared<Analysis>(std::move(analysis)));
    parts.observer.meaningChanged();
  });
}

} // namespace cufc
