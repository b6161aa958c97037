// See call.h.
#include "libraries/call.h"
#include "core/settings.h"

#include <dlfcn.h>
#include <string>

namespace cufrt::libraries {

void *Library::open() const {
  std::string names;
  for (const char *folder : {"", settings().toolkitLibraries, "/usr/local/cuda/lib64/"}) {
    for (int i = 0; folder && i < count; ++i) {
      std::string name = std::string("lib") + file + ".so." + std::to_string(numbers[i]);
      if (void *opened = dlopen((folder + name).c_str(), RTLD_NOW | RTLD_LOCAL))
        return opened;
      if (!*folder)
        names += (names.empty() ? "" : ", ") + name;
    }
  }
  fatal(nullptr, 0,
        "module %s needs a library of the CUDA toolkit, and none of %s was found; set "
        "LD_LIBRARY_PATH or CUDA_HOME to where it is",
        module, names.c_str());
}

void *Library::function(const char *name) {
  void *opened = handle.load(std::memory_order_acquire);
  if (!opened) { // two threads may open it, which counts twice and does no harm
    opened = open();
    handle.store(opened, std::memory_order_release);
  }
  void *address = dlsym(opened, name);
  if (!address)
    fatal(nullptr, 0, "%s of module %s is not in the library that is installed (lib%s.so)", name,
          module, file);
  return address;
}

Call::Call(Entry &entry) : entry(entry) {
  if (api().isHost)
    work.emplace();
  if (settings().report)
    measured.emplace(entry.library.module, entry.name);
}

Call::~Call() = default;

void *Call::find() {
  void *address = entry.library.function(entry.name);
  entry.address.store(address, std::memory_order_release);
  return address;
}

} // namespace cufrt::libraries
