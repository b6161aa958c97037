// -finit-real and its kin: local variables of host code begin with a value.
#ifndef CUFC_LOWER_LOCAL_VALUES_H
#define CUFC_LOWER_LOCAL_VALUES_H

#include "mlir/IR/BuiltinOps.h"
#include "source/language_options.h"

namespace cufc {

// Before anything is lowered, so that an assignment to an array is one operation.
void initialiseLocals(mlir::ModuleOp module, const InitialValueOptions &values);

} // namespace cufc
#endif // CUFC_LOWER_LOCAL_VALUES_H
