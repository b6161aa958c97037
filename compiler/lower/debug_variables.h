// Debug information of variables, for -g: what is done before and after flang's pass for it.
// Private to lower/.
#ifndef CUFC_LOWER_DEBUG_VARIABLES_H
#define CUFC_LOWER_DEBUG_VARIABLES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace cufc {

// A module whose variables a debugger shall find, and one in which the GPU's code has tables for
// one, too.
inline constexpr const char *debuggerAttribute = "cufc.debugger";
inline constexpr const char *debugTablesAttribute = "cufc.debug_tables";

std::unique_ptr<mlir::Pass> createSelectVariables(bool forDevice);
std::unique_ptr<mlir::Pass> createCompleteVariables();

} // namespace cufc
#endif // CUFC_LOWER_DEBUG_VARIABLES_H
