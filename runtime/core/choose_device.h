// What depends on the choice of the device besides the API itself.
#ifndef CUFRT_CORE_CHOOSE_DEVICE_H
#define CUFRT_CORE_CHOOSE_DEVICE_H

#include "cufrt/abi.h"

namespace cufrt {

// Tells the chosen device, if one is chosen already, of a module that dlopen brought.
void moduleWasAdded(cufrt_module &module);

} // namespace cufrt
#endif // CUFRT_CORE_CHOOSE_DEVICE_H
