// The code that combines the threads' copies of a reduced variable: the call in the kernel, and
// what the host does around the launch. runtime/core/reduction.cpp owns the workspace.
#ifndef CUFC_LOWER_GRID_REDUCTIONS_H
#define CUFC_LOWER_GRID_REDUCTIONS_H

#include "lower/reductions.h"

namespace cufc {

// A reduction and a thread's value.
struct ReducedPart {
  ReductionOperation operation;
  mlir::Value value;
};

// In a kernel: combines each part's values of all threads of the grid into the number of
// `workspace` that is its place in `parts`. The result, an i1, is true in the one thread that may
// use `reducedValue` then.
mlir::Value reduceOverGrid(mlir::OpBuilder &builder, mlir::Location loc,
                           llvm::ArrayRef<ReducedPart> parts, mlir::Value workspace);

// The same for one part, number `slot` of `workspace`, where only one thread of each block comes.
mlir::Value gatherOverGrid(mlir::OpBuilder &builder, mlir::Location loc, const ReducedPart &part,
                           mlir::Value workspace, unsigned slot);

// The value of `type` in number `slot` of `workspace`.
mlir::Value reducedValue(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value workspace,
                         unsigned slot, mlir::Type type);

// variable = variable `operation` value, for the scalar at `address`.
void updateVariable(mlir::OpBuilder &builder, mlir::Location loc, const Reduction &reduction,
                    mlir::Value address, mlir::Value value);

// The host's side of one launch with reductions.
class GridReductions {
public:
  // `grid` are three i32 values; no code is made if `count` is zero.
  GridReductions(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value stream,
                 const mlir::Value (&grid)[3], size_t count);

  // The address to pass to the kernel.
  mlir::Value workspace() const { return memory; }

  // After the launch: waits for the result and updates the host's variable.
  void update(unsigned slot, const Reduction &reduction);

private:
  mlir::Value asPointer(mlir::Value value);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  mlir::Value stream;
  mlir::Value memory;
};

} // namespace cufc
#endif // CUFC_LOWER_GRID_REDUCTIONS_H
