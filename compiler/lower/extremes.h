// MAXVAL, MINVAL, MAXLOC and MINLOC of arrays of host code by the runtime library.
#ifndef CUFC_LOWER_EXTREMES_H
#define CUFC_LOWER_EXTREMES_H

#include <memory>

namespace mlir {
class Pass;
} // namespace mlir

namespace cufc {

// For functions of host code, before expressions are given memory.
std::unique_ptr<mlir::Pass> createExtremes();

} // namespace cufc
#endif // CUFC_LOWER_EXTREMES_H
