// The loops over the threads of a block, in a shape that LLVM vectorises.
#ifndef CUFC_CODEGEN_CPU_THREAD_LOOPS_H
#define CUFC_CODEGEN_CPU_THREAD_LOOPS_H

#include "llvm/IR/Function.h"

namespace llvm {
class Instruction;
class TargetMachine;
} // namespace llvm

namespace cufc {

// Marks the branch that ends the loop over threadIdx%x, or one over y or z.
void markThreadLoop(llvm::Instruction &branch);
void markLineLoop(llvm::Instruction &branch);

// Removes the marks of a function.
void leaveThreadLoops(llvm::Function &function);

// In functions with a marked loop (cpu_forms.h marks others): what is the same for all
// threads is computed once, conditions on the index that lead past the whole body become bounds of
// the loop, and LLVM is told that threads do not depend on each other.
void shapeThreadLoops(llvm::Module &module, const llvm::TargetMachine &host);

} // namespace cufc
#endif // CUFC_CODEGEN_CPU_THREAD_LOOPS_H
