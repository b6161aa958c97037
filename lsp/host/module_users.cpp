// See module_users.h.
#include "host/module_users.h"
#include "analysis/interface_hash.h"
#include "host/host.h"
#include "service/missing_flags.h"
#include "service/missing_modules.h"
#include <filesystem>
#include <fmt/format.h>

namespace cufc {
namespace {

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

bool sameMessages(const std::vector<Diagnostic> &a, const std::vector<Diagnostic> &b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Diagnostic &one, const Diagnostic &other) {
                      return one.code == other.code && one.message == other.message &&
                             one.range.line == other.range.line;
                    });
}

} // namespace

void ModuleUsers::sayMissing(const std::string &path, Analysis &analysis) {
  found[path] = {analysis.diagnostics, analysis.interfaces};
  addMissing(path, analysis);
}

void ModuleUsers::addMissing(const std::string &path, Analysis &analysis) {
  dropConsequencesOfIncludes(analysis);
  LoadedProject &project = host.projects.of(path);
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
  if (!host.projects.rescan(project, path))
    return asio::post(host.loop, [this] { host.reload(); });
  auto interfacesOf = [&](size_t other) -> const std::vector<ModuleInterface> * {
    auto made = project.interfaces.find(project.project.sources[other].path);
    return made == project.interfaces.end() ? nullptr : &made->second;
  };
  sayMissingModules(project.project, project.graph, *source, interfacesOf, analysis);
}

void ModuleUsers::followGraphs() {
  std::vector<std::string> elsewhere, again;
  for (const auto &[folder, project] : host.projects.loaded()) {
    if (std::exchange(project->graphSeen, project->graphNumber) == project->graphNumber)
      continue;
    for (const std::string &path : host.openPaths)
      if (host.analyses.isOpen(path) && &host.projects.of(path) == project.get())
        (host.analyses.readsAlike(path, host.projects.requestFor(*project, path)) ? again
                                                                                  : elsewhere)
            .push_back(path);
  }
  for (const std::string &path : elsewhere)
    host.analyse(path);
  for (const std::string &path : again)
    sayAgain(path);
}

// An analysis that is under way says it itself.
void ModuleUsers::sayAgain(const std::string &path) {
  const SourceFile *file = host.workspace.find(path);
  auto said = found.find(path);
  if (!file || !file->analysis || said == found.end() || host.analyses.busy(path))
    return;
  auto analysis = std::make_shared<Analysis>(*file->analysis);
  analysis->diagnostics = said->second.diagnostics;
  analysis->interfaces = said->second.interfaces;
  addMissing(path, *analysis);
  if (sameMessages(analysis->diagnostics, file->analysis->diagnostics) &&
      sameInterfaces(analysis->interfaces, file->analysis->interfaces))
    return;
  host.workspace.setAnalysis(path, analysis);
  host.observer.diagnosticsChanged(path);
  follow(path, *analysis);
  host.observer.analysesAdvanced();
}

void ModuleUsers::removeLeft(const std::string &path, const Analysis &analysis) {
  LoadedProject &project = host.projects.of(path);
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
    std::remove(fmt::format("{}/{}.mod", folder, name).c_str());
  project.foldersSeen[folder] = std::filesystem::last_write_time(folder, error);
  tell(left);
}

void ModuleUsers::tell(const std::set<std::string> &modules) {
  if (modules.empty())
    return;
  for (const std::string &path : host.openPaths)
    if (host.analyses.isOpen(path) && mayUse(path, modules)) {
      host.analyses.modulesChanged(path);
      host.costs.modulesChanged(path);
    }
}

bool ModuleUsers::follow(const std::string &path, const Analysis &analysis) {
  LoadedProject &project = host.projects.of(path);
  std::vector<ModuleInterface> &known = project.interfaces[path];
  std::set<std::string> names = changedModules(known, analysis.interfaces);
  if (names.empty())
    return false;
  std::string folder = project.moduleFolder(path) + "/";
  auto remains = [&](const std::string &name) {
    return host.workspace.moduleFile(name, host.workspace.find(path)) ||
           std::any_of(known.begin(), known.end(),
                       [&](const auto &now) { return now.name == name; });
  };
  for (const ModuleInterface &module : std::exchange(known, analysis.interfaces))
    if (!remains(module.name)) // its file would still be found
      std::remove((folder + moduleFileName(module.name)).c_str());
  for (const ModuleInterface &module : analysis.interfaces)
    if (module.hash != 0 && !std::filesystem::exists(folder + moduleFileName(module.name)))
      host.analyses.modulesChanged(path); // another source had it before, and its file has gone
  // Others may need the file for another module than before.
  if (host.openPaths.contains(path) && !host.projects.rescan(project, path))
    asio::post(host.loop, [this] { host.reload(); });
  tell(names);
  return true;
}

// What is under way may be of a text that uses others than the last analysis says, or the first.
bool ModuleUsers::mayUse(const std::string &path, const std::set<std::string> &modules) {
  const SourceFile *file = host.workspace.find(path);
  if (file && file->analysis &&
      std::any_of(file->analysis->modulesUsed.begin(), file->analysis->modulesUsed.end(),
                  [&](const std::string &name) { return modules.contains(name); }))
    return true;
  LoadedProject &project = host.projects.of(path);
  std::optional<size_t> source = project.sourceOf(path);
  if (!source)
    return !file || !file->analysis;
  const ModuleFacts facts = host.analyses.busy(path)
                                ? host.projects.scan(project.project.sources[*source])
                                : project.project.facts[*source];
  return std::any_of(facts.uses.begin(), facts.uses.end(),
                     [&](const ModuleStatement &use) { return modules.contains(use.name); });
}

} // namespace cufc
