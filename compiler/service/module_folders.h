// Where the module files of a project's sources lie while they are analysed.
#ifndef CUFC_SERVICE_MODULE_FOLDERS_H
#define CUFC_SERVICE_MODULE_FOLDERS_H

#include "frontend/program.h"
#include "project/source_graph.h"
#include <set>

namespace cufc {

// Of a module, or of a submodule "ancestor:name".
std::string moduleFileName(std::string module);

// Several programs of a project may have modules of the same name. The module files of such sources
// lie in folders of their own, all others in one.
class ModuleFolders {
public:
  ModuleFolders() = default;
  // `root` is an existing folder; those in it are made when they are asked for.
  ModuleFolders(const Project &project, const SourceGraph &graph, std::string root);

  // Makes the folder if it is the source's own.
  std::string of(size_t source) const;
  bool operator==(const ModuleFolders &) const = default;
  // Sets where the modules of a source are written and where those that it uses are looked for.
  void use(size_t source, const SourceGraph &graph, FrontendOptions &front) const;

private:
  std::string pathOf(size_t source) const;
  std::string root;
  std::set<size_t> own; // sources that have a folder
};

} // namespace cufc
#endif // CUFC_SERVICE_MODULE_FOLDERS_H
