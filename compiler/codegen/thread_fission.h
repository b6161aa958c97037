// Loops over threads of which a few threads do more than the others.
#ifndef CUFC_CODEGEN_THREAD_FISSION_H
#define CUFC_CODEGEN_THREAD_FISSION_H

namespace llvm {
class AAResults;
class DominatorTree;
class Loop;
class LoopInfo;
class ScalarEvolution;
} // namespace llvm

namespace cufc {

// Gives what only threads of one x do, such as fetching a halo, a loop of its own, and what comes
// before and behind it. All of these loops have the mark of `threads`. Returns whether there are
// several now, in which branches lead to empty blocks.
bool divideRareWork(llvm::Loop &threads, llvm::LoopInfo &loops, llvm::DominatorTree &dominators,
                    llvm::ScalarEvolution &evolution, llvm::AAResults &aliases);

} // namespace cufc
#endif // CUFC_CODEGEN_THREAD_FISSION_H
