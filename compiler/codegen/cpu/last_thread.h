// The last thread of a loop over threads that comes to certain places.
#ifndef CUFC_CODEGEN_CPU_LAST_THREAD_H
#define CUFC_CODEGEN_CPU_LAST_THREAD_H

#include "codegen/cpu/thread_bounds.h"
#include "llvm/IR/IRBuilder.h"

namespace llvm {
class DominatorTree;
} // namespace llvm

namespace cufc {

// A maximum that LLVM makes vectors of, as it does not of a constant that is stored under a
// condition. It is in variables until `promote`.
class LastThread {
public:
  explicit LastThread(const PlainThreadLoop &threads);

  // A place in the loop, before that instruction.
  void comesTo(llvm::Instruction &place);

  // Behind the loop: its x, or -1 if there is none.
  llvm::Value *number(llvm::IRBuilder<> &builder) const;

  // Makes values of the variables, for which the tree must be right.
  void promote(llvm::DominatorTree &dominators);

private:
  llvm::AllocaInst *makeVariable() const;

  const PlainThreadLoop &threads;
  llvm::AllocaInst *here, *last; // in a round, and up to it
};

} // namespace cufc
#endif // CUFC_CODEGEN_CPU_LAST_THREAD_H
