// Which sources of a project need which, by the modules they define and use.
#ifndef CUFC_PROJECT_SOURCE_GRAPH_H
#define CUFC_PROJECT_SOURCE_GRAPH_H

#include "project/project.h"
#include <map>

namespace cufc {

// Finds who defines a module. Several files may define modules of one name; then the nearest is
// meant: of the same target, compiled with the same arguments, in the same folder, in the folder
// that is the fewest steps away.
class ModuleIndex {
public:
  explicit ModuleIndex(const Project &project);

  // The sources that `user` can mean by a module's name: none, one, or several that are equally
  // near, in the project's order. The user itself comes before all. Modules of the compiler are
  // replaced by sources that were asked for, not by those that were only found in a folder.
  std::vector<size_t> definers(const std::string &module, size_t user) const;
  // The same for an external procedure.
  std::vector<size_t> procedures(const std::string &name, size_t user) const {
    return choose(externals, name, user);
  }
  // The sources with submodules of a module.
  const std::vector<size_t> &submodules(const std::string &module) const;

private:
  using Definitions = std::map<std::string, std::vector<size_t>, std::less<>>;
  std::vector<size_t> choose(const Definitions &from, const std::string &name, size_t user) const;
  std::vector<size_t> nearest(std::vector<size_t> all, size_t user) const;
  bool sharesTarget(size_t source, size_t other) const;

  const Project &project;
  Definitions modules, externals, children;
  std::vector<std::vector<size_t>> targets; // of each source, if a file says what belongs together
};

// For each source the ones it needs directly, sorted.
struct SourceGraph {
  std::vector<std::vector<size_t>> needs;
  std::vector<size_t> order; // every source after those it needs
  // By source and module: the files, as text, of which nobody knows which one is meant. The first
  // of them is taken.
  std::map<size_t, std::map<std::string, std::string>> ambiguous;
};

// Steps from one folder to another.
size_t folderDistance(const std::string &from, const std::string &to);

// Reports modules that use each other in a circle, that a target defines twice, and of which it is
// not known which source is meant; with `known`, also modules that nobody defines: `known` are the
// folders in which other module files may be. A USE under #if counts unless it closes a circle.
SourceGraph makeSourceGraph(const Project &project, const std::vector<std::string> &known,
                            Diagnostics &diagnostics);

} // namespace cufc
#endif // CUFC_PROJECT_SOURCE_GRAPH_H
