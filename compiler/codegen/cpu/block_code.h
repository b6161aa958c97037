// The functions that a kernel's block function becomes.
#ifndef CUFC_CODEGEN_CPU_BLOCK_CODE_H
#define CUFC_CODEGEN_CPU_BLOCK_CODE_H

#include "codegen/cpu/host_kernels.h"

namespace cufc {

// Loops in LLVM's favourite shape. Unless the user has named a CPU, they are on x86-64 in code
// beside that for every CPU, which stays as short as it is. Every aarch64 has vectors of 128 bits
// and fused operations: there the one form is for all.
void tuneBlockFunctions(llvm::Module &module, const llvm::TargetMachine &host,
                        HostKernels &kernels);

} // namespace cufc
#endif // CUFC_CODEGEN_CPU_BLOCK_CODE_H
