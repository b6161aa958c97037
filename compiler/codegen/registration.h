// The records by which an object file makes its kernels and device data known to the runtime.
#ifndef CUFC_CODEGEN_REGISTRATION_H
#define CUFC_CODEGEN_REGISTRATION_H

#include "codegen/host_kernels.h"
#include "lower/device_facts.h"
#include <string>

namespace llvm {
class Module;
}

namespace cufc {

// Adds to the host module: the fat binary (may be empty), a cufrt_module record, a constructor that
// registers it and flang's allocators, and a body for the stub of every kernel. `hostKernels` are
// functions of the same module.
void addRegistration(llvm::Module &module, const DeviceFacts &facts, const HostKernels &hostKernels,
                     const std::string &fatBinary);

} // namespace cufc
#endif // CUFC_CODEGEN_REGISTRATION_H
