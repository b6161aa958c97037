// See module_folders.h. Nearly all projects have no such sources, and then there is one folder.
#include "service/module_folders.h"
#include <filesystem>

namespace cufc {

std::string moduleFileName(std::string module) {
  if (size_t colon = module.find(':'); colon != std::string::npos)
    module[colon] = '-';
  return module + ".mod";
}

ModuleFolders::ModuleFolders(const Project &project, const SourceGraph &graph, std::string path)
    : root(std::move(path)) {
  std::map<std::string_view, size_t> definers;
  for (const ModuleFacts &facts : project.facts)
    for (const ModuleStatement &module : facts.defines)
      ++definers[module.name];
  for (size_t source : graph.order)
    for (const ModuleStatement &module : project.facts[source].defines)
      if (definers[module.name] > 1)
        own.insert(source);
}

std::string ModuleFolders::pathOf(size_t source) const {
  return own.count(source) ? root + "/" + std::to_string(source) : root;
}

std::string ModuleFolders::of(size_t source) const {
  std::string path = pathOf(source);
  std::error_code ignored; // an error shows when modules are missing
  if (path != root)
    std::filesystem::create_directories(path, ignored);
  return path;
}

// Modules need those that they use themselves, so all folders are searched that may hold any.
void ModuleFolders::use(size_t source, const SourceGraph &graph, FrontendOptions &front) const {
  front.moduleDirectory = of(source);
  if (own.empty())
    return;
  std::set<size_t> reached{source};
  std::vector<std::string> folders;
  for (std::vector<size_t> open{source}; !open.empty();) {
    size_t next = open.back();
    open.pop_back();
    if (next != source && own.count(next))
      folders.push_back(pathOf(next));
    for (size_t other : graph.needs[next])
      if (reached.insert(other).second)
        open.push_back(other);
  }
  if (own.count(source))
    folders.push_back(root);
  front.includes.insert(front.includes.begin(), folders.begin(), folders.end());
}

} // namespace cufc
