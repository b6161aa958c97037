// Loops of GPU code that count their iterations in 32 bits.
#ifndef CUFC_CODEGEN_GPU_NARROW_COUNTS_H
#define CUFC_CODEGEN_GPU_NARROW_COUNTS_H

namespace llvm {
class Module;
} // namespace llvm

namespace cufc {

// Has loops over a DO variable of 32 bits count in 32 bits. For optimised modules.
void countInWords(llvm::Module &module);

} // namespace cufc
#endif // CUFC_CODEGEN_GPU_NARROW_COUNTS_H
