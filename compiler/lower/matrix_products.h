// MATMUL of real matrices of host code by the runtime library.
#ifndef CUFC_LOWER_MATRIX_PRODUCTS_H
#define CUFC_LOWER_MATRIX_PRODUCTS_H

#include <memory>

namespace mlir {
class Pass;
} // namespace mlir

namespace cufc {

// For functions of host code, before expressions are given memory. `fused` says whether the
// program's own loops would round a product and its addition once.
std::unique_ptr<mlir::Pass> createMatrixProducts(bool fused);

} // namespace cufc
#endif // CUFC_LOWER_MATRIX_PRODUCTS_H
