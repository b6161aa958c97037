// Lines of a block of known size whose threads all run.
#ifndef CUFC_CODEGEN_FULL_LINES_H
#define CUFC_CODEGEN_FULL_LINES_H

namespace llvm {
class DominatorTree;
class Loop;
class LoopInfo;
} // namespace llvm

namespace cufc {

// Copies a loop over threads for lines that are full, in a function for blocks of one size. Leaves
// no analysis valid if it returns true.
bool divideFullLines(llvm::Loop &threads, llvm::LoopInfo &loops, llvm::DominatorTree &dominators);

} // namespace cufc
#endif // CUFC_CODEGEN_FULL_LINES_H
