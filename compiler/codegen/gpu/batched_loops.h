// Loops of unknown count that are unrolled so that many of their loads are under way at once, or,
// if they compute alone or threads meet in them, so that less of an iteration goes on to the next.
#ifndef CUFC_CODEGEN_GPU_BATCHED_LOOPS_H
#define CUFC_CODEGEN_GPU_BATCHED_LOOPS_H

namespace llvm {
class Loop;
class PassBuilder;
} // namespace llvm

namespace cufc {

// Whether the program, or another pass, has said how to unroll it.
bool hasUnrollHint(const llvm::Loop &loop);

// Adds to LLVM's pipeline for a GPU what unrolls them. Their remainder is made of batches as well,
// each of half the iterations of the one before: many loops there are short, over the components of
// a vector, say.
void unrollInBatches(llvm::PassBuilder &builder);

} // namespace cufc
#endif // CUFC_CODEGEN_GPU_BATCHED_LOOPS_H
