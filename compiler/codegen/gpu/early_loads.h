// Loads before divisions and roots, which a GPU computes with branches, and before stores.
#ifndef CUFC_CODEGEN_GPU_EARLY_LOADS_H
#define CUFC_CODEGEN_GPU_EARLY_LOADS_H

namespace llvm {
class Instruction;
class Module;
} // namespace llvm

namespace cufc {

// Whether ptxas makes branches of it: for numbers that are very large or small it calls a function.
bool becomesBranches(const llvm::Instruction &instruction);

// Reads in a block what its later divisions and square roots do not decide before these: ptxas
// makes branches of them and moves no load over one, so that each load would be waited for by
// itself. In loops also what comes behind branches that meet again, such as those of a power. Loads
// of a thread's own arrays come before stores in others of them. For kernels that were optimised.
void loadEarly(llvm::Module &module);

} // namespace cufc
#endif // CUFC_CODEGEN_GPU_EARLY_LOADS_H
