// When loops over a known number of threads are unrolled.
#ifndef CUFC_CODEGEN_CPU_KNOWN_LOOPS_H
#define CUFC_CODEGEN_CPU_KNOWN_LOOPS_H

#include "llvm/IR/PassManager.h"

namespace cufc {

struct KnownLoopPass : llvm::PassInfoMixin<KnownLoopPass> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace cufc
#endif // CUFC_CODEGEN_CPU_KNOWN_LOOPS_H
