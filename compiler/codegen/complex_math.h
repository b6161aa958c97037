// Complex mathematics of device code, for which libdevice has no functions.
#ifndef CUFC_CODEGEN_COMPLEX_MATH_H
#define CUFC_CODEGEN_COMPLEX_MATH_H

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace cufc {

// Gives every declared function of tables/device_math.def (CUF_DEVICE_COMPLEX) a body. Complex
// values are structures of two numbers.
void defineComplexMath(llvm::Module &module);

// The body of a function (z, integer n) that returns z**n by repeated squaring.
void defineComplexPower(llvm::Function &function);

} // namespace cufc
#endif // CUFC_CODEGEN_COMPLEX_MATH_H
