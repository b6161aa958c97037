// Assignments of arrays in device code, without the run-time library.
#ifndef CUFC_LOWER_ARRAY_ASSIGNMENTS_H
#define CUFC_LOWER_ARRAY_ASSIGNMENTS_H

#include <memory>

namespace mlir {
class Pass;
} // namespace mlir

namespace cufc {

// Turns the assignments that flang would leave to its library into loops. It stands before HLFIR
// becomes FIR, when expressions have become memory.
std::unique_ptr<mlir::Pass> createInlineAssignments();

} // namespace cufc
#endif // CUFC_LOWER_ARRAY_ASSIGNMENTS_H
