// Where arrays of host code may begin.
#ifndef CUFC_CODEGEN_ARRAY_ALIGNMENT_H
#define CUFC_CODEGEN_ARRAY_ALIGNMENT_H

namespace llvm {
class Module;
}

namespace cufc {

// "An array uses the same alignment as its elements, except that a local or global array variable
// of length at least 16 bytes [...] always has alignment of at least 16 bytes" (System V ABI, AMD64
// supplement, 3.1.2). flang's arrays have that of their elements alone; libraries rely on more: a
// plan of FFTW that was made for one array is wrong for another whose address differs modulo 16.
void alignArrays(llvm::Module &module);

} // namespace cufc
#endif // CUFC_CODEGEN_ARRAY_ALIGNMENT_H
