// Modules without a source in the workspace, such as those of an installed library: their
// interfaces as files that are analysed, so that hover, completion, signature help and navigation
// know them as they know a module of the project.
#ifndef CUFLS_HOST_MODULE_VIEWS_H
#define CUFLS_HOST_MODULE_VIEWS_H

#include "base/files.h"
#include "host/parts.h"
#include <map>
#include <string>

namespace cufc {

struct LoadedProject;
namespace foreign {
struct InterfaceText;
}

class ModuleViews {
public:
  explicit ModuleViews(const HostParts &parts) : parts(parts) {}

  // Makes those of the modules that an open file uses, and drops those that are not true any more.
  // Their analyses come later.
  void follow(const std::string &path);

private:
  using Key = std::pair<std::string, std::string>; // the project's folder and the module
  std::string fileFor(const Key &key, const std::string &text) const;
  void drop(const Key &key);
  void analyse(const std::string &path, const std::string &user, const std::string &text);

  HostParts parts;
  TemporaryFolder scratch;          // what flang writes while it analyses them
  std::map<Key, std::string> views; // their files
};

} // namespace cufc
#endif // CUFLS_HOST_MODULE_VIEWS_H
