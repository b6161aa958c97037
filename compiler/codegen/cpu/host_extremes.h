// MIN and MAX of kernels on the CPU.
#ifndef CUFC_CODEGEN_CPU_HOST_EXTREMES_H
#define CUFC_CODEGEN_CPU_HOST_EXTREMES_H

namespace llvm {
class Module;
} // namespace llvm

namespace cufc {

// What a GPU has an instruction for (lower/real_extremes.cpp) is a comparison and a choice on the
// CPU, as in host code: one instruction there, and a NaN as the first argument gives the second.
void chooseExtremes(llvm::Module &module);

} // namespace cufc
#endif // CUFC_CODEGEN_CPU_HOST_EXTREMES_H
