// Which file of a search path is the module of a name.
//
// A module file that flang has written wins over gfortran's, wherever on the path each lies: files
// of another compiler are often left beside sources that define the module. gfortran's wins over
// those that nobody reads, and the compiler's own modules win over all of other compilers.
#ifndef CUFC_FOREIGN_MODULE_PATH_H
#define CUFC_FOREIGN_MODULE_PATH_H

#include "foreign/origin.h"
#include <map>
#include <string>
#include <vector>

namespace cufc::foreign {

class ModulePath {
public:
  struct Found {
    std::string path;
    Origin origin;
    bool isFirst = true;      // on the path
    bool ownIsHidden = false; // a module of the compiler's own, by another compiler's file
  };

  // `folders` in the order of the search; `intrinsic` are those of the compiler's own modules.
  ModulePath(std::vector<std::string> folders, std::vector<std::string> intrinsic)
      : folders(std::move(folders)), intrinsic(std::move(intrinsic)) {}

  // Missing: there is none, or the compiler's own is meant.
  const Found &find(const std::string &name);
  // The files that were looked for, whether they are there or not: what `find` gives depends on
  // them alone.
  const std::vector<std::string> &lookedFor() const { return looked; }

private:
  std::string intrinsicFile(const std::string &name) const;
  Found search(const std::string &name);
  const std::vector<std::string> folders, intrinsic;
  std::map<std::string, Found> known;
  std::vector<std::string> looked;
};

// The modules that a module file of flang, or a text in its form, uses: "use a,only:b", and of a
// submodule its parent.
std::vector<std::string> usedModules(std::string_view text);

// The files on which it depends what these modules are, with all that they use.
std::vector<std::string> filesBehindModules(const std::vector<std::string> &modules,
                                            const std::vector<std::string> &folders,
                                            const std::vector<std::string> &intrinsic);

} // namespace cufc::foreign
#endif // CUFC_FOREIGN_MODULE_PATH_H
