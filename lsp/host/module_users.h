// What follows for other files when the modules that a file defines come, change or go.
#ifndef CUFLS_HOST_MODULE_USERS_H
#define CUFLS_HOST_MODULE_USERS_H

#include "analysis/analysis.h"
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
  // Adds what a file lacks of the project's modules, as a project's check says it too: an older
  // module file may still be there.
  void sayMissing(const std::string &path, Analysis &analysis);
  // Removes module files of analyses that were ended before they told of them: no text of the
  // project defines such a module.
  void removeLeft(const std::string &path, const Analysis &analysis);

private:
  void tell(const std::set<std::string> &modules);
  bool mayUse(const std::string &path, const std::set<std::string> &modules);

  Host &host;
};

} // namespace cufc
#endif // CUFLS_HOST_MODULE_USERS_H
