// Calls of the runtime library, and of functions that the code generator defines, in FIR.
#ifndef CUFC_LOWER_RUNTIME_CALLS_H
#define CUFC_LOWER_RUNTIME_CALLS_H

#include "mlir/IR/Builders.h"

namespace cufc {

// Calls the external function `name`, which is declared at its first call with the types of this
// one. Returns its result, or null without one.
mlir::Value callRuntime(mlir::OpBuilder &builder, mlir::Location loc, llvm::StringRef name,
                        mlir::ValueRange operands, llvm::ArrayRef<mlir::Type> results);

} // namespace cufc
#endif // CUFC_LOWER_RUNTIME_CALLS_H
