// Elements of array sections of host code as elements of the arrays.
#ifndef CUFC_LOWER_SECTION_ELEMENTS_H
#define CUFC_LOWER_SECTION_ELEMENTS_H

#include <memory>

namespace mlir {
class Pass;
} // namespace mlir

namespace cufc {

// For functions of host code, when expressions and assignments have become loops, before HLFIR
// becomes FIR.
std::unique_ptr<mlir::Pass> createSectionElements();

} // namespace cufc
#endif // CUFC_LOWER_SECTION_ELEMENTS_H
