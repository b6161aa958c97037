// Arithmetic that flang makes more general than it is.
#ifndef CUFC_LOWER_SIMPLER_ARITHMETIC_H
#define CUFC_LOWER_SIMPLER_ARITHMETIC_H

namespace mlir {
class ModuleOp;
} // namespace mlir

namespace cufc {

// In FIR, before complex operations become real ones and powers of integers loops. In device code
// quotients of complex numbers become calls.
void simplifyArithmetic(mlir::ModuleOp module, bool isDevice);

} // namespace cufc
#endif // CUFC_LOWER_SIMPLER_ARITHMETIC_H
