// Rounds of a loop over elements that each thread does several of at a time.
#ifndef CUFC_CODEGEN_CPU_SEVERAL_ROUNDS_H
#define CUFC_CODEGEN_CPU_SEVERAL_ROUNDS_H

#include "codegen/branches.h"

namespace llvm {
class BasicBlock;
class DominatorTree;
class Instruction;
class Loop;
class LoopInfo;
class PHINode;
class Value;
} // namespace llvm

namespace cufc {

inline constexpr unsigned severalRounds = 4;

// A loop over elements in each thread (thread_strides.cpp).
struct ElementLoop {
  llvm::Loop &threads, &inner;
  llvm::PHINode &x, &index; // of the threads and of the elements
  llvm::PHINode *count;     // of rounds, or null
  llvm::Instruction &start; // the index's first value, of 32 or 64 bits
  ConditionalBranch *guard; // that ends the inner loop at its header, or null
};

// Whether what the rounds add up is in memory between them.
bool gainsFromSeveralRounds(const ElementLoop &elements);

// A copy of the loop over threads in which each does `severalRounds` rounds one after the other,
// from the element `base` + x on, whatever their number. Gives the block before it, which nothing
// leads to yet; the loop ends at `next`. `preheader` is that of the loop, `before` dominates both.
llvm::BasicBlock *copyForSeveralRounds(const ElementLoop &elements, llvm::Value &base,
                                       llvm::BasicBlock &preheader, llvm::BasicBlock &before,
                                       llvm::BasicBlock &next, llvm::LoopInfo &loops,
                                       llvm::DominatorTree &dominators);

} // namespace cufc
#endif // CUFC_CODEGEN_CPU_SEVERAL_ROUNDS_H
