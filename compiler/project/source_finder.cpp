// Breadth first. A folder is looked through when a module is missed, the subfolders only when the
// folder itself has none of that name.
#include "project/source_finder.h"
#include "base/files.h"
#include "project/compiler_modules.h"
#include "project/source_graph.h"
#include <algorithm>
#include <set>

namespace cufc {

const SourceFinder::Folder &SourceFinder::folder(const std::string &path, bool below) {
  auto [place, isNew] = folders.try_emplace({path, below});
  Folder &known = place->second;
  if (isNew) {
    known.scan = scanFiles(path, below, options);
    IncludedFiles files;
    std::set<std::string> included;
    for (ScannedFile &file : known.scan.files) {
      addIncluded(file.facts, {file.path, path, {}}, files);
      for (const IncludeLine &line : file.facts.includes)
        included.insert(absolutePath(line.name, directoryOf(file.path)));
    }
    for (const ScannedFile &file : known.scan.files)
      for (const ModuleStatement &statement : file.facts.defines)
        if (!included.contains(file.path))
          known.modules[statement.name].push_back(&file);
  }
  return known;
}

namespace {

// The folders of the sources that were asked for and define a module.
std::vector<std::string> askedFolders(const Project &project, const std::string &module) {
  std::vector<std::string> result;
  for (size_t i = 0; i < project.sources.size(); ++i)
    for (const ModuleStatement &statement : project.facts[i].defines)
      if (project.sources[i].asked && statement.name == module)
        result.push_back(directoryOf(project.sources[i].path));
  return result;
}

} // namespace

std::vector<const ScannedFile *> SourceFinder::find(const Project &project,
                                                    const std::string &module,
                                                    const std::string &user,
                                                    const std::string &root) {
  auto in = [&](const Folder &place) {
    auto found = place.modules.find(module);
    return found == place.modules.end() ? std::vector<const ScannedFile *>{} : found->second;
  };
  std::string own = directoryOf(user);
  std::vector<std::string> asked = askedFolders(project, module);
  if (isCompilerModule(module) || std::find(asked.begin(), asked.end(), own) != asked.end())
    return {};
  std::vector<const ScannedFile *> found = in(folder(own, false));
  if (!found.empty() || !asked.empty() || isMpiModule(module))
    return found;
  found = in(folder(root, true));
  size_t nearest = std::string::npos;
  for (const ScannedFile *file : found)
    nearest = std::min(nearest, folderDistance(own, directoryOf(file->path)));
  std::erase_if(found, [&](const ScannedFile *file) {
    return folderDistance(own, directoryOf(file->path)) > nearest;
  });
  return found;
}

void SourceFinder::addNeeded(Project &project, size_t source, const std::string &root) {
  std::vector<size_t> open{source};
  auto isThere = [&](const std::string &path) { return project.find(path) != nullptr; };
  for (size_t at = 0; at < open.size(); ++at) {
    size_t user = open[at];
    std::vector<ModuleStatement> uses = project.facts[user].uses; // the list of facts grows
    const std::vector<ModuleStatement> &own = project.facts[user].defines;
    std::erase_if(uses, [&](const ModuleStatement &use) {
      return std::any_of(own.begin(), own.end(),
                         [&](const ModuleStatement &each) { return each.name == use.name; });
    });
    for (const ModuleStatement &use : uses)
      for (const ScannedFile *file : find(project, use.name, project.sources[user].path, root))
        if (!isThere(file->path)) {
          open.push_back(project.sources.size());
          project.sources.push_back(foundSource(file->path, root, file->facts));
          project.facts.push_back(file->facts);
        }
  }
}

} // namespace cufc
