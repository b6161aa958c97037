// Where the threads of a CUF kernel stand to its arrays. Private to lower/.
#ifndef CUFC_LOWER_GRID_ALIGNMENT_H
#define CUFC_LOWER_GRID_ALIGNMENT_H

#include "flang/Optimizer/Dialect/CUF/CUFOps.h"

namespace cufc {

// How many threads shall stand before that of the first iteration of the innermost loop, so that
// the first of a warp accesses an element at the beginning of a line of the cache, as a(1) or
// a(33): an i32 of the host, made at its place. As many as need no further warp. Null if it is
// none, or not known. `trips` are the iterations of that loop.
mlir::Value threadsBefore(mlir::OpBuilder &host, cuf::KernelOp directive, mlir::Value trips);

} // namespace cufc
#endif // CUFC_LOWER_GRID_ALIGNMENT_H
