// Assignments of elementwise expressions to allocatable arrays of host code, without a temporary.
#ifndef CUFC_LOWER_ASSIGNMENTS_IN_PLACE_H
#define CUFC_LOWER_ASSIGNMENTS_IN_PLACE_H

#include <memory>

namespace mlir {
class Pass;
} // namespace mlir

namespace cufc {

// For functions of host code, before expressions are given memory.
std::unique_ptr<mlir::Pass> createAssignmentsInPlace();

} // namespace cufc
#endif // CUFC_LOWER_ASSIGNMENTS_IN_PLACE_H
