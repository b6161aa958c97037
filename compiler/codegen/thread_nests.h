// Loops that all threads of a row run alike come around the loop over the threads.
#ifndef CUFC_CODEGEN_THREAD_NESTS_H
#define CUFC_CODEGEN_THREAD_NESTS_H

namespace llvm {
class DominatorTree;
class Loop;
class LoopInfo;
class ScalarEvolution;
} // namespace llvm

namespace cufc {

// Returns whether the function has changed; all that is known of it is then out of date.
bool putThreadsInside(llvm::Loop &threads, llvm::LoopInfo &loops, llvm::DominatorTree &dominators,
                      llvm::ScalarEvolution &evolution);

} // namespace cufc
#endif // CUFC_CODEGEN_THREAD_NESTS_H
