// Sums of complex numbers and products in GPU code.
#ifndef CUFC_CODEGEN_GPU_COMPLEX_SUMS_H
#define CUFC_CODEGEN_GPU_COMPLEX_SUMS_H

namespace llvm {
class Module;
} // namespace llvm

namespace cufc {

// Adds the parts of products to sums one after the other where lower/simpler_arithmetic.cpp has
// marked both, so that each is fused with the sum, and takes the marks away. If there is no fusion,
// as on CPUs, it only does the latter. For modules that no pass has changed.
void addProductsInParts(llvm::Module &module, bool fuses);

} // namespace cufc
#endif // CUFC_CODEGEN_GPU_COMPLEX_SUMS_H
