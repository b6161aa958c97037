// Loops of threads that run one round more, or less, from thread to thread.
#ifndef CUFC_CODEGEN_THREAD_TRIANGLES_H
#define CUFC_CODEGEN_THREAD_TRIANGLES_H

namespace llvm {
class DominatorTree;
class Loop;
class LoopInfo;
class ScalarEvolution;
} // namespace llvm

namespace cufc {

// Has some threads at a time run the rounds that all of them have together, and the others by
// conditions. Leaves no analysis valid if it returns true.
bool levelRounds(llvm::Loop &threads, llvm::LoopInfo &loops, llvm::DominatorTree &dominators,
                 llvm::ScalarEvolution &evolution);

} // namespace cufc
#endif // CUFC_CODEGEN_THREAD_TRIANGLES_H
