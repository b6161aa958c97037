// Kernels for which blocks side by side are one wide block.
#ifndef CUFC_CODEGEN_CPU_BLOCK_ROWS_H
#define CUFC_CODEGEN_CPU_BLOCK_ROWS_H

namespace llvm {
class Function;
}

namespace cufc {

// Whether the threads along x know no more of their place than the sum blockIdx*blockDim +
// threadIdx, and of the grid not how wide it is: then threads of index blockDim and up do in a
// block what the next blocks' threads do. `thread` is as makeThreadFunction gives it and does not
// synchronise.
bool isForRows(const llvm::Function &thread);

// Whether a thread runs a loop that is not known to be short.
bool hasLongLoop(llvm::Function &thread);

} // namespace cufc
#endif // CUFC_CODEGEN_CPU_BLOCK_ROWS_H
