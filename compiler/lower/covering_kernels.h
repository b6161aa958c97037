// How loops of CUF kernels lie over a grid, and kernels for grids that cover all of several loops,
// which most do: without loops, with fewer registers and instructions. Private to lower/.
#ifndef CUFC_LOWER_COVERING_KERNELS_H
#define CUFC_LOWER_COVERING_KERNELS_H

#include "lower/kernel_shape.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"

namespace cufc {

// Says of a branch in a kernel that it goes to the next iteration of a loop over the grid.
void markRepetition(mlir::cf::CondBranchOp branch);

// Says of a comparison that it is whether a thread has any iteration of a loop: its number in the
// grid along dimension d against their count.
void markEntry(mlir::arith::CmpIOp comparison, unsigned d);

// A copy of the kernel whose threads do one iteration of each loop over the grid. It takes the
// name; the kernel gets one with repeatingSuffix. As many threads as the i32 argument `before` says
// stand before the first iteration of the innermost loop; none without it.
mlir::func::FuncOp withoutRepetitions(mlir::func::FuncOp kernel, mlir::SymbolTable &symbols,
                                      std::optional<unsigned> before);

// Number of this thread in the grid along dimension d, and the number of threads.
std::pair<mlir::Value, mlir::Value> gridPosition(mlir::OpBuilder &device, mlir::Location loc,
                                                 unsigned d);

// Number of this block in the grid along dimension d, and the number of blocks.
std::pair<mlir::Value, mlir::Value> blockPosition(mlir::OpBuilder &device, mlir::Location loc,
                                                  unsigned d);

// Whether the grid has so many threads along each loop, and no more than 32 bits count. `trips` as
// for kernelShape.
mlir::Value coversLoops(mlir::OpBuilder &host, mlir::Location loc, const KernelShape &shape,
                        llvm::ArrayRef<mlir::Value> trips);

} // namespace cufc
#endif // CUFC_LOWER_COVERING_KERNELS_H
