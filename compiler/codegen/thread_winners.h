// What several threads of a loop store in one place, of which the last one stays.
#ifndef CUFC_CODEGEN_THREAD_WINNERS_H
#define CUFC_CODEGEN_THREAD_WINNERS_H

namespace llvm {
class AAResults;
class DominatorTree;
class Loop;
class LoopInfo;
class ScalarEvolution;
} // namespace llvm

namespace cufc {

// Has the loop look for the thread whose values stay, which alone stores them then. Leaves no
// analysis valid if it returns true.
bool findWinner(llvm::Loop &threads, llvm::LoopInfo &loops, llvm::DominatorTree &dominators,
                llvm::AAResults &aliases);

} // namespace cufc
#endif // CUFC_CODEGEN_THREAD_WINNERS_H
