// Which library procedures have a device version, from tables/device_math.def.
#ifndef CUFC_LOWER_DEVICE_LIBRARY_H
#define CUFC_LOWER_DEVICE_LIBRARY_H

#include "llvm/ADT/StringRef.h"

namespace cufc {

// "__nv_sinf" for "sinf"; empty if libdevice has no such function.
std::string libdeviceName(llvm::StringRef libmName);

// Whether device code may call the external procedure `symbol`.
bool hasDeviceVersion(llvm::StringRef symbol);

} // namespace cufc
#endif // CUFC_LOWER_DEVICE_LIBRARY_H
