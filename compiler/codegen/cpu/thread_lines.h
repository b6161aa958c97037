// The threads of a block that know of their place no more than their number in the block.
#ifndef CUFC_CODEGEN_CPU_THREAD_LINES_H
#define CUFC_CODEGEN_CPU_THREAD_LINES_H

namespace llvm {
class Loop;
class ScalarEvolution;
} // namespace llvm

namespace cufc {

// Has the loop over x, `threads`, run over all threads of a block, or of a plane of it, where their
// index along y, and z, is for nothing but one sum with that along x. `threads` has the mark
// afterwards, too. Before anything has moved out of the loops; returns whether they have changed.
bool joinLines(llvm::Loop &threads, llvm::ScalarEvolution &evolution);

} // namespace cufc
#endif // CUFC_CODEGEN_CPU_THREAD_LINES_H
