// Assignments of derived types with allocatable components in host code, component by component.
#ifndef CUFC_LOWER_COMPONENT_ASSIGNMENTS_H
#define CUFC_LOWER_COMPONENT_ASSIGNMENTS_H

#include <memory>

namespace mlir {
class Pass;
} // namespace mlir

namespace cufc {

// For functions of host code, before assignments become FIR.
std::unique_ptr<mlir::Pass> createComponentAssignments();

} // namespace cufc
#endif // CUFC_LOWER_COMPONENT_ASSIGNMENTS_H
