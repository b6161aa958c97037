// Loops of device code that are unrolled completely, so that local arrays become registers.
#ifndef CUFC_CODEGEN_LOCAL_ARRAYS_H
#define CUFC_CODEGEN_LOCAL_ARRAYS_H

namespace llvm {
class PassBuilder;
} // namespace llvm

namespace cufc {

// Adds to LLVM's pipeline what marks such loops, before its pass that unrolls; for a GPU also loops
// over arrays that chosen_elements.h then makes registers of, and over constant memory.
void unrollForRegisters(llvm::PassBuilder &builder, bool forGpu);

} // namespace cufc
#endif // CUFC_CODEGEN_LOCAL_ARRAYS_H
