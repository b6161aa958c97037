// Quotients of complex numbers in GPU code.
#ifndef CUFC_CODEGEN_GPU_COMPLEX_QUOTIENTS_H
#define CUFC_CODEGEN_GPU_COMPLEX_QUOTIENTS_H

namespace llvm {
class Module;
} // namespace llvm

namespace cufc {

// Gives the functions that lower/complex_quotients.cpp made another body.
void divideByReciprocals(llvm::Module &module);

} // namespace cufc
#endif // CUFC_CODEGEN_GPU_COMPLEX_QUOTIENTS_H
