// What follows for other files when the modules that a file defines come, change or go.
#ifndef CUFLS_HOST_MODULE_USERS_H
#define CUFLS_HOST_MODULE_USERS_H

#include "analysis/analysis.h"
#include <map>
#include <set>
#include <string>

namespace cufc {

class Host;

class ModuleUsers {
public:
  explicit ModuleUsers(Host &host) : host(host) {}

  // Files that use a changed module are analysed again, those that are not open by the index. True
  // if there are any changes.
  bool follow(const std::string &path, const Analysis &analysis);
  // Adds to the analysis of an open file what it lacks of the project's modules, as a project's
  // check says it too: an older module file may still be there.
  void sayMissing(const std::string &path, Analysis &analysis);
  // Which source a module comes from may be another one since the projects' graphs were last
  // looked at: files are analysed again if their modules lie elsewhere, and what was said of
  // missing modules is said anew.
  void followGraphs();
  void forget(const std::string &path) { found.erase(path); }
  // Removes module files of analyses that were ended before they told of them: no text of the
  // project defines such a module.
  void removeLeft(const std::string &path, const Analysis &analysis);

private:
  // What an analysis had found before anything was said of missing modules.
  struct Found {
    std::vector<Diagnostic> diagnostics;
    std::vector<ModuleInterface> interfaces;
  };

  void addMissing(const std::string &path, Analysis &analysis);
  void sayAgain(const std::string &path);
  void tell(const std::set<std::string> &modules);
  bool mayUse(const std::string &path, const std::set<std::string> &modules);

  Host &host;
  std::map<std::string, Found> found; // of open files
};

} // namespace cufc
#endif // CUFLS_HOST_MODULE_USERS_H
