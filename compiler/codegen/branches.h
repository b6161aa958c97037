// The branches of LLVM's IR: two kinds of one class in LLVM 22, two classes in 23.
#ifndef CUFC_CODEGEN_BRANCHES_H
#define CUFC_CODEGEN_BRANCHES_H

#include "llvm/Config/llvm-config.h"
#include "llvm/IR/Instructions.h"

namespace cufc {

#if LLVM_VERSION_MAJOR >= 23
using ConditionalBranch = llvm::CondBrInst;
using Jump = llvm::UncondBrInst;
#else
using ConditionalBranch = llvm::BranchInst;
using Jump = llvm::BranchInst;
#endif

// A value, const or not, as the branch on a condition that it is; null for any other.
template <typename Value>
auto *conditionalBranch(Value *value) {
  auto *branch = llvm::dyn_cast<ConditionalBranch>(value);
#if LLVM_VERSION_MAJOR < 23
  if (branch && branch->isUnconditional())
    branch = nullptr;
#endif
  return branch;
}

// As the branch without one; null for any other.
template <typename Value>
auto *jump(Value *value) {
  auto *branch = llvm::dyn_cast<Jump>(value);
#if LLVM_VERSION_MAJOR < 23
  if (branch && branch->isConditional())
    branch = nullptr;
#endif
  return branch;
}

inline bool isBranch(const llvm::Instruction &instruction) {
  return llvm::isa<ConditionalBranch, Jump>(instruction);
}

} // namespace cufc

#endif // CUFC_CODEGEN_BRANCHES_H
