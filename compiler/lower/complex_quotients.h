// Quotients of complex numbers with few divisions.
#ifndef CUFC_LOWER_COMPLEX_QUOTIENTS_H
#define CUFC_LOWER_COMPLEX_QUOTIENTS_H

namespace mlir {
class ModuleOp;
} // namespace mlir

namespace cufc {

// In FIR, where control flow is between blocks, before complex operations become real ones.
void divideComplexNumbers(mlir::ModuleOp module);

// Makes them calls of functions of their own, cufc_complex_quotient8 and 4, which have another body
// on GPUs (codegen/gpu/complex_quotients.cpp).
void callComplexQuotients(mlir::ModuleOp module);

} // namespace cufc
#endif // CUFC_LOWER_COMPLEX_QUOTIENTS_H
