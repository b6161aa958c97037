// A loop over threads in three, around the loop that each thread runs.
#ifndef CUFC_CODEGEN_CPU_THREAD_VALUES_H
#define CUFC_CODEGEN_CPU_THREAD_VALUES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace llvm {
class AllocaInst;
class DominatorTree;
class Loop;
class LoopInfo;
class PHINode;
class Value;
} // namespace llvm

namespace cufc {

// Which loops must be limited to (thread_strips.h).
inline constexpr uint64_t mostThreadsInRow = 1024;

// Memory with an element for each thread of a loop, and whether `address` is in such.
void markThreadValues(llvm::AllocaInst &memory);
bool isThreadValue(const llvm::Value *address);

// Whether separateRounds knows the form of the loops. `inner` is the only loop in
// `threads` and left from its header; `carried` are phis of its header.
bool canSeparateRounds(const llvm::Loop &threads, const llvm::Loop &inner,
                       llvm::ArrayRef<llvm::PHINode *> carried);

// Puts what threads do before their loop, the loop, and what they do behind it into loops over the
// threads of their own. What the loop carries from round to round is in memory then. Leaves no
// analysis valid.
void separateRounds(llvm::Loop &threads, llvm::Loop &inner, llvm::ArrayRef<llvm::PHINode *> carried,
                    llvm::LoopInfo &loops, llvm::DominatorTree &dominators);

} // namespace cufc
#endif // CUFC_CODEGEN_CPU_THREAD_VALUES_H
