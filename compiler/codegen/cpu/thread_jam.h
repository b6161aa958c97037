// Kernels whose threads each run a loop, as the one over k of a matrix product, become loops that
// run it for several threads at a time, so that LLVM computes those in vectors.
#ifndef CUFC_CODEGEN_CPU_THREAD_JAM_H
#define CUFC_CODEGEN_CPU_THREAD_JAM_H

#include "llvm/IR/PassManager.h"

namespace llvm {
class TargetMachine;
}

namespace cufc {

// To be run after the thread loops have been narrowed.
void addJamPasses(llvm::FunctionPassManager &passes, const llvm::TargetMachine &host);

} // namespace cufc
#endif // CUFC_CODEGEN_CPU_THREAD_JAM_H
