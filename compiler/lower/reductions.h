// Reductions in CUF kernels: which scalars a loop nest reduces, and how a kernel combines them.
//
// Every thread accumulates in a copy of its own that starts as the operation's neutral value. After
// the loops it passes its copies to a function cufc_reduce_<operation>_<type>..., whose body the
// code generator supplies (codegen/device_reductions.cpp). Narrow types travel as integer(4) and
// real(4).
#ifndef CUFC_LOWER_REDUCTIONS_H
#define CUFC_LOWER_REDUCTIONS_H

#include "base/diagnostics.h"
#include "flang/Optimizer/Dialect/CUF/CUFOps.h"
#include "flang/Optimizer/HLFIR/HLFIROps.h"
#include "mlir/IR/Builders.h"

namespace cufc {

enum class ReductionOperation { Add, Multiply, Max, Min, And, Or, Xor, Equivalence };

struct Reduction {
  hlfir::DeclareOp variable; // a scalar of intrinsic type, declared outside the directive
  ReductionOperation operation;
};

// The reductions of a directive: those of its REDUCE clauses, and every scalar that its body only
// updates by one operation. Reports variables that are updated by several operations, or also read.
std::vector<Reduction> findReductions(cuf::KernelOp directive, Diagnostics &diagnostics);

// Whether a reduction can be done for values of `type`.
bool isReducible(mlir::Type type, ReductionOperation operation);

mlir::Value neutralValue(mlir::OpBuilder &builder, mlir::Location loc, ReductionOperation operation,
                         mlir::Type type);

// a `operation` b for two values of one Fortran type.
mlir::Value combine(mlir::OpBuilder &builder, mlir::Location loc, ReductionOperation operation,
                    mlir::Value a, mlir::Value b);

// The type in which values of `type` are reduced.
mlir::Type reducedType(mlir::Type type);
// Conversions of a value between its Fortran type and the reduced type.
mlir::Value toReduced(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value);
mlir::Value fromReduced(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                        mlir::Type type);

} // namespace cufc
#endif // CUFC_LOWER_REDUCTIONS_H
