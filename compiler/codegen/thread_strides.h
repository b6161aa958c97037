// Loops over a grid's elements in each thread, as CUDA's grid-stride loops, go through memory in
// the order of the elements.
#ifndef CUFC_CODEGEN_THREAD_STRIDES_H
#define CUFC_CODEGEN_THREAD_STRIDES_H

namespace llvm {
class AAResults;
class DominatorTree;
class Loop;
class LoopInfo;
class ScalarEvolution;
} // namespace llvm

namespace cufc {

// Returns whether the function has changed; all that is known of it is then out of date.
bool exchangeWithThreads(llvm::Loop &threads, llvm::LoopInfo &loops,
                         llvm::DominatorTree &dominators, llvm::ScalarEvolution &evolution,
                         llvm::AAResults &aliases);

// Before that: gives what threads do around such loops loops of its own (thread_values.h).
bool separateFromThreads(llvm::Loop &threads, llvm::LoopInfo &loops,
                         llvm::DominatorTree &dominators, llvm::ScalarEvolution &evolution);

} // namespace cufc
#endif // CUFC_CODEGEN_THREAD_STRIDES_H
