// The sources that one file of a folder needs, found by the modules that it names: what a file
// costs is what it needs, not what lies around it.
#ifndef CUFC_PROJECT_SOURCE_FINDER_H
#define CUFC_PROJECT_SOURCE_FINDER_H

#include "project/kept_scan.h"
#include "project/project.h"
#include <map>

namespace cufc {

class SourceFinder {
public:
  explicit SourceFinder(ScanOptions options) : options(std::move(options)) {}

  // Adds to a project without a file the sources that one of its sources needs and that it does not
  // have: those that define a module in the folder of the file that uses it, otherwise the nearest
  // below the project's source's own folder `root`.
  void addNeeded(Project &project, size_t source, const std::string &root);

private:
  using Definitions = std::map<std::string, std::vector<const ScannedFile *>, std::less<>>;
  struct Folder {
    ScannedFolder scan;
    Definitions modules;
  };
  const Folder &folder(const std::string &path, bool below);
  std::vector<const ScannedFile *> find(const Project &project, const std::string &module,
                                        const std::string &user, const std::string &root);

  ScanOptions options;
  std::map<std::pair<std::string, bool>, Folder> folders;
};

} // namespace cufc
#endif // CUFC_PROJECT_SOURCE_FINDER_H
