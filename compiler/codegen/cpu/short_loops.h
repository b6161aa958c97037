// Loops of a few rounds in what a thread does.
#ifndef CUFC_CODEGEN_CPU_SHORT_LOOPS_H
#define CUFC_CODEGEN_CPU_SHORT_LOOPS_H

#include "llvm/IR/PassManager.h"

namespace cufc {

// Unrolls them before loops over threads get their shape.
void addUnrolling(llvm::FunctionPassManager &passes);

// Leaves no loop where there is one round, as over the lines of a block of known size that are
// joined to one.
void addSingleRounds(llvm::FunctionPassManager &passes);

} // namespace cufc
#endif // CUFC_CODEGEN_CPU_SHORT_LOOPS_H
