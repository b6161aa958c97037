// Remainders of numbers that are at most a little outside of the range they are brought into.
#ifndef CUFC_CODEGEN_GPU_WRAPPED_NUMBERS_H
#define CUFC_CODEGEN_GPU_WRAPPED_NUMBERS_H

namespace llvm {
class PassBuilder;
}

namespace cufc {

// Adds to LLVM's pipeline for a GPU what computes them without division.
void wrapNumbers(llvm::PassBuilder &builder);

} // namespace cufc
#endif // CUFC_CODEGEN_GPU_WRAPPED_NUMBERS_H
