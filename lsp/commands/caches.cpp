// Stamps of files stand for their contents.
#include "commands/caches.h"
#include "codegen/toolkit.h"
#include "project/build_state.h"
#include <fmt/format.h>

namespace cufc {

std::string compilerIdentity(const Installation &installation) {
  std::string text = CUFC_VERSION;
  for (const std::string &file :
       {std::string("/proc/self/exe"), installation.modules + "/cudafor.mod",
        installation.libraries + "/libcufrt.a"})
    text += " " + installedAs(file);
  if (std::optional<Toolkit> toolkit = findToolkit())
    text += fmt::format(" {} {}", toolkit->root, toolkit->version);
  return text;
}

ScanOptions scanOptions() {
  ScanOptions options{cacheFolder("scans")};
  options.flags = cacheFolder("flags");
  return options;
}

} // namespace cufc
