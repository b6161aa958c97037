// The launch configuration of a CUF kernel directive: what it gives, and for the rest a call of the
// runtime library (runtime/core/kernel_shape.cpp) before the launch. Private to lower/.
#ifndef CUFC_LOWER_KERNEL_SHAPE_H
#define CUFC_LOWER_KERNEL_SHAPE_H

#include "flang/Optimizer/Dialect/CUF/CUFOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace cufc {

struct KernelShape {
  mlir::Value grid[3], block[3]; // i32, along x, y and z
};

// Whether an iteration has loops of its own, so that some may take much longer than others.
bool isUneven(cuf::KernelOp directive);

// `trips` are the iterations of the parallel loops, outermost first, as values of the host. The
// innermost loop is spread over x. `kernel` is the function that is launched.
KernelShape kernelShape(mlir::OpBuilder &host, cuf::KernelOp directive, mlir::func::FuncOp kernel,
                        llvm::ArrayRef<mlir::Value> trips, bool reduces);

// Whether iterations of the second innermost loop, and not of the innermost one, use neighbours in
// memory.
bool usesColumns(cuf::KernelOp directive);

} // namespace cufc
#endif // CUFC_LOWER_KERNEL_SHAPE_H
