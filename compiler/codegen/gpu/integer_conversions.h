// Conversions of real numbers to integers, and back.
#ifndef CUFC_CODEGEN_GPU_INTEGER_CONVERSIONS_H
#define CUFC_CODEGEN_GPU_INTEGER_CONVERSIONS_H

namespace llvm {
class IntrinsicInst;
class Module;
} // namespace llvm

namespace cufc {

// Replaces a call that rounds to the nearest number, of two the one away from 0, to a real number
// or to an integer (llvm.round, llvm.lround, llvm.llround), by an addition and a truncation.
void roundByAddition(llvm::IntrinsicInst &call);

// Conversions that give the nearest integer that there is become instructions of the GPU; for code
// that is emitted next.
void convertBySaturation(llvm::Module &module);

// Integers become numbers of single precision by the instruction that takes the least time; for
// code that is emitted next.
void convertFromWords(llvm::Module &module);

} // namespace cufc
#endif // CUFC_CODEGEN_GPU_INTEGER_CONVERSIONS_H
