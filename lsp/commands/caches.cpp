// The XDG base directory specification says where caches are.
#include "commands/caches.h"
#include "codegen/toolkit.h"
#include "project/build_state.h"
#include <cstdlib>
#include <filesystem>

namespace cufc {

std::string cacheFolder(const std::string &name) {
  const char *cache = std::getenv("XDG_CACHE_HOME");
  const char *home = std::getenv("HOME");
  std::error_code error;
  std::string root = cache && *cache ? cache
                     : home && *home ? std::string(home) + "/.cache"
                                     : std::filesystem::temp_directory_path(error).string();
  return root + "/cufls/" + name;
}

std::string compilerIdentity(const Installation &installation) {
  std::string text = CUFC_VERSION;
  for (const std::string &file :
       {std::string("/proc/self/exe"), installation.modules + "/cudafor.mod",
        installation.libraries + "/libcufrt.a"}) {
    FileStamp stamp = stampOf(file);
    text += fmt::format(" {}:{}", stamp.size, stamp.time);
  }
  if (std::optional<Toolkit> toolkit = findToolkit())
    text += fmt::format(" {} {}", toolkit->root, toolkit->version);
  return text;
}

} // namespace cufc
