// Calls of the runtime library, and of functions that the code generator defines, in FIR.
#ifndef CUFC_LOWER_RUNTIME_CALLS_H
#define CUFC_LOWER_RUNTIME_CALLS_H

#include "mlir/IR/Builders.h"
#include <string>

namespace fir {
class FirOpBuilder;
}

namespace cufc {

// Calls the external function `name`, which is declared at its first call with the types of this
// one. Returns its result, or null without one.
mlir::Value callRuntime(mlir::OpBuilder &builder, mlir::Location loc, llvm::StringRef name,
                        mlir::ValueRange operands, llvm::ArrayRef<mlir::Type> results);

// The address of a temporary with the descriptor `box` in it, as `!fir.llvm_ptr<i8>`.
mlir::Value descriptorArgument(fir::FirOpBuilder &builder, mlir::Location loc, mlir::Value box);

// The address of a constant text that ends with a zero byte.
mlir::Value textArgument(fir::FirOpBuilder &builder, mlir::Location loc, const std::string &text);

} // namespace cufc
#endif // CUFC_LOWER_RUNTIME_CALLS_H
