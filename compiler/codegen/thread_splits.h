// Loops over threads of which some do more than others.
#ifndef CUFC_CODEGEN_THREAD_SPLITS_H
#define CUFC_CODEGEN_THREAD_SPLITS_H

namespace llvm {
class DominatorTree;
class Loop;
class LoopInfo;
class ScalarEvolution;
} // namespace llvm

namespace cufc {

// Divides the loop at the bounds of the first condition in it that is one on the thread's index.
// Returns whether the function has changed; all that is known of it is then out of date.
bool splitThreadLoop(llvm::Loop &loop, llvm::LoopInfo &loops, llvm::DominatorTree &dominators,
                     llvm::ScalarEvolution &evolution);

} // namespace cufc
#endif // CUFC_CODEGEN_THREAD_SPLITS_H
