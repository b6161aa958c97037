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

} // namespace

void ModuleUsers::sayMissing(const std::string &path, Analysis &analysis) {
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
  tell(names);
  return true;
}

bool ModuleUsers::mayUse(const std::string &path, const std::set<std::string> &modules) {
  auto isOne = [&](const std::string &name) { return modules.contains(name); };
  if (const SourceFile *file = host.workspace.find(path); file && file->analysis)
    return std::any_of(file->analysis->modulesUsed.begin(), file->analysis->modulesUsed.end(),
                       isOne);
  LoadedProject &project = host.projects.of(path);
  std::optional<size_t> source = project.sourceOf(path);
  if (!source)
    return true;
  const std::vector<ModuleStatement> &uses = project.project.facts[*source].uses;
  return std::any_of(uses.begin(), uses.end(),
                     [&](const ModuleStatement &use) { return isOne(use.name); });
}

} // namespace cufc
