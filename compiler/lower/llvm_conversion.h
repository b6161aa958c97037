// The conversion from FIR to the LLVM dialect that device and host lowering share. Private to
// lower/.
#ifndef CUFC_LOWER_LLVM_CONVERSION_H
#define CUFC_LOWER_LLVM_CONVERSION_H

#include "flang/Optimizer/CodeGen/TypeConverter.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace cufc {

// Rewrites math and complex operations that have no direct LLVM form.
mlir::LogicalResult expandMath(mlir::ModuleOp module);

// Converts the whole module. `ignoreTypeDescriptors`: derived types without run-time type
// information are not an error. `extra` adds patterns.
mlir::LogicalResult convertToLlvmDialect(
    mlir::ModuleOp module, bool ignoreTypeDescriptors,
    llvm::function_ref<void(fir::LLVMTypeConverter &, mlir::RewritePatternSet &)> extra);

} // namespace cufc
#endif // CUFC_LOWER_LLVM_CONVERSION_H
