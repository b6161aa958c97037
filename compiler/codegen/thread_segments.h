// Loops over threads whose index is taken apart by divisions.
#ifndef CUFC_CODEGEN_THREAD_SEGMENTS_H
#define CUFC_CODEGEN_THREAD_SEGMENTS_H

namespace llvm {
class DominatorTree;
class Loop;
class LoopInfo;
class ScalarEvolution;
} // namespace llvm

namespace cufc {

// Where threads compute mod(i, n) and i/n of an index that goes up by one, as for a grid of several
// dimensions that is numbered through: the loop runs from one multiple of n to the next in a loop
// over those. Returns whether it has changed the loop, which keeps its mark.
bool divideAtMultiples(llvm::Loop &threads, llvm::LoopInfo &loops, llvm::DominatorTree &dominators,
                       llvm::ScalarEvolution &evolution);

} // namespace cufc
#endif // CUFC_CODEGEN_THREAD_SEGMENTS_H
