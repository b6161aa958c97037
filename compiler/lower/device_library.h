// Which library procedures have a device version: those of tables/device_math.def, and the entry
// points of flang's run-time library that runtime/device/ defines, compiled to LLVM's bitcode.
#ifndef CUFC_LOWER_DEVICE_LIBRARY_H
#define CUFC_LOWER_DEVICE_LIBRARY_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MemoryBufferRef.h"
#include <string>

namespace cufc {

// "__nv_sinf" for "sinf"; empty if libdevice has no such function.
std::string libdeviceName(llvm::StringRef libmName);

// Whether device code may call the external procedure `symbol`.
bool hasDeviceVersion(llvm::StringRef symbol);

// The modules of runtime/device/.
llvm::ArrayRef<llvm::MemoryBufferRef> deviceLibrary();

} // namespace cufc
#endif // CUFC_LOWER_DEVICE_LIBRARY_H
