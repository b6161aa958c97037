// See host_library.h.
#include "libraries/host_library.h"
#include "cufrt/device.h"

#include <dlfcn.h>

namespace cufrt::libraries {

void *HostLibrary::find(const char *name) {
  void *opened = handle.load(std::memory_order_acquire);
  if (!opened) {
    opened = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (!opened)
      fatal(nullptr, 0,
            "module %s on the CPU needs %s, which is not installed: it is in Debian's package %s",
            module, file, package);
    handle.store(opened, std::memory_order_release);
  }
  void *address = dlsym(opened, name);
  if (!address)
    fatal(nullptr, 0, "module %s on the CPU needs %s, which %s does not have", module, name, file);
  return address;
}

} // namespace cufrt::libraries
