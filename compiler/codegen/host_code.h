// Host code as options ask for it: arithmetic, exceptions, what profilers and tracebacks need.
#ifndef CUFC_CODEGEN_HOST_CODE_H
#define CUFC_CODEGEN_HOST_CODE_H

#include "codegen/host_code_options.h"

namespace llvm {
class Module;
}

namespace cufc {

// Before optimisation, for a module of host code without kernels: arithmetic and exceptions.
void applyArithmetic(llvm::Module &module, const HostCodeOptions &options);

// Before optimisation, for the whole module: attributes of its functions, and a constructor that
// prepares the program if the module has something to prepare (runtime/core/program_options.cpp).
void applyHostCodeOptions(llvm::Module &module, const HostCodeOptions &options);

} // namespace cufc
#endif // CUFC_CODEGEN_HOST_CODE_H
