// Which sources of a project need which, by the modules they define and use.
#ifndef CUFC_PROJECT_SOURCE_GRAPH_H
#define CUFC_PROJECT_SOURCE_GRAPH_H

#include "project/project.h"
#include <map>

namespace cufc {

// Finds who defines a module. Targets may hold files that define the same module; then the one that
// is compiled with the same arguments and lies in the same folder is meant.
class ModuleIndex {
public:
  explicit ModuleIndex(const Project &project);

  // The sources that `user` can mean by a module's name: none, one, or several. The user itself
  // comes before all.
  std::vector<size_t> definers(const std::string &module, size_t user) const {
    return choose(modules, module, user);
  }
  // The same for an external procedure.
  std::vector<size_t> procedures(const std::string &name, size_t user) const {
    return choose(externals, name, user);
  }
  // The sources with submodules of a module.
  const std::vector<size_t> &submodules(const std::string &module) const;

private:
  using Definitions = std::map<std::string, std::vector<size_t>, std::less<>>;
  std::vector<size_t> choose(const Definitions &from, const std::string &name, size_t user) const;

  const Project &project;
  Definitions modules, externals, children;
};

// For each source the ones it needs directly, sorted.
struct SourceGraph {
  std::vector<std::vector<size_t>> needs;
  std::vector<size_t> order; // every source after those it needs
};

// Reports modules that use each other in a circle, that a target defines twice, and of which it is
// not known which source is meant; with `known`, also modules that nobody defines: `known` are the
// folders in which other module files may be. A USE under #if counts unless it closes a circle.
SourceGraph makeSourceGraph(const Project &project, const std::vector<std::string> &known,
                            Diagnostics &diagnostics);

} // namespace cufc
#endif // CUFC_PROJECT_SOURCE_GRAPH_H
