// Names of the CUDA libraries that programs use and the modules do not have, for messages about
// names that are not declared.
#ifndef CUFC_BASE_REMOVED_ROUTINES_H
#define CUFC_BASE_REMOVED_ROUTINES_H

#include <string>
#include <string_view>

namespace cufc {

// What to say of a name in lower case; nothing of others. `module` is the module that it would be
// in.
struct RemovedName {
  std::string_view module;
  std::string advice;
};
RemovedName removedName(std::string_view name);

} // namespace cufc
#endif // CUFC_BASE_REMOVED_ROUTINES_H
