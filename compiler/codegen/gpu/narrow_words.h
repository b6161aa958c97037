// Integers of 64 bits that hold numbers of 32.
#ifndef CUFC_CODEGEN_GPU_NARROW_WORDS_H
#define CUFC_CODEGEN_GPU_NARROW_WORDS_H

namespace llvm {
class Module;
}

namespace cufc {

// For optimised code of a GPU, which has registers of 32 bits.
void narrowWords(llvm::Module &module);

} // namespace cufc
#endif // CUFC_CODEGEN_GPU_NARROW_WORDS_H
