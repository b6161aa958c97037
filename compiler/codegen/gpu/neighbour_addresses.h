// Addresses of elements that lie one row or plane beside others.
#ifndef CUFC_CODEGEN_GPU_NEIGHBOUR_ADDRESSES_H
#define CUFC_CODEGEN_GPU_NEIGHBOUR_ADDRESSES_H

namespace llvm {
class Module;
} // namespace llvm

namespace cufc {

// Computes an address from one before it in the same block, where they differ by a constant, which
// becomes a part of the instruction that reads or writes, or by one stride: one addition of 64
// bits. For kernels that were optimised.
void chainNeighbours(llvm::Module &module);

} // namespace cufc
#endif // CUFC_CODEGEN_GPU_NEIGHBOUR_ADDRESSES_H
