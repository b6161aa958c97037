// Arguments of external procedures whose interface says more than the procedure takes.
#ifndef CUFC_LOWER_ARGUMENT_FORMS_H
#define CUFC_LOWER_ARGUMENT_FORMS_H

#include "mlir/Pass/Pass.h"

namespace cufc {

// Procedures of the module say which of their arguments are addresses; calls of procedures of
// other files ask.
std::unique_ptr<mlir::Pass> createArgumentForms();

} // namespace cufc
#endif // CUFC_LOWER_ARGUMENT_FORMS_H
