// See host_function.h.
#include "libraries/host_function.h"
#include "cufrt/device.h"

#include <cstring>

namespace cufrt::libraries {

void *findFunction(const char *module, const char *name,
                   std::initializer_list<std::span<const HostFunction>> tables) {
  for (std::span<const HostFunction> table : tables)
    for (const HostFunction &function : table)
      if (std::strcmp(function.name, name) == 0)
        return function.address;
  fatal(nullptr, 0, "%s of module %s works on a GPU only", name, module);
}

} // namespace cufrt::libraries
