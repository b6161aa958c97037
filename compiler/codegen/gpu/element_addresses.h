// Addresses of one element that were computed in several ways.
#ifndef CUFC_CODEGEN_GPU_ELEMENT_ADDRESSES_H
#define CUFC_CODEGEN_GPU_ELEMENT_ADDRESSES_H

namespace llvm {
class Module;
} // namespace llvm

namespace cufc {

// Gives accesses of one element one address, and those at a constant distance of an element
// that was accessed before the constant as a part of the instruction. For kernels that were
// optimised, of arrays that lower/narrow_indices.cpp computes addresses of.
void joinElementAddresses(llvm::Module &module);

} // namespace cufc
#endif // CUFC_CODEGEN_GPU_ELEMENT_ADDRESSES_H
