// Loops over more threads than memory for their values is kept for.
#ifndef CUFC_CODEGEN_CPU_THREAD_STRIPS_H
#define CUFC_CODEGEN_CPU_THREAD_STRIPS_H

#include <cstdint>

namespace llvm {
class DominatorTree;
class Loop;
class LoopInfo;
class ScalarEvolution;
} // namespace llvm

namespace cufc {

// Whether the loop can be limited: it counts from 0, up to a number that is known before.
bool canLimitThreads(llvm::Loop &threads);

// Puts a loop around `threads` so that it goes over no more than `most` of them at a time. What
// scalar evolution knows of it is out of date if it returns true.
bool limitThreads(llvm::Loop &threads, uint64_t most, llvm::LoopInfo &loops,
                  llvm::DominatorTree &dominators, llvm::ScalarEvolution &evolution);

} // namespace cufc
#endif // CUFC_CODEGEN_CPU_THREAD_STRIPS_H
