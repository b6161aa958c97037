// External procedures that are called by themselves and by an interface with a binding label.
#ifndef CUFC_LOWER_SHARED_LABELS_H
#define CUFC_LOWER_SHARED_LABELS_H

#include "mlir/Pass/Pass.h"

namespace cufc {

// Before external procedures get their names for the linker, `underscore`: with one at the end.
std::unique_ptr<mlir::Pass> createSharedLabels(bool underscore);

} // namespace cufc
#endif // CUFC_LOWER_SHARED_LABELS_H
