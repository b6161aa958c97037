// Facts about Fortran types in memory.
#ifndef CUFC_LOWER_TYPE_SIZES_H
#define CUFC_LOWER_TYPE_SIZES_H

#include "mlir/IR/Types.h"

namespace cufc {

// The bytes of a numeric or logical scalar.
int64_t bytesOf(mlir::Type type);

// Whether the type is a derived type whose bytes are all of its value: without allocatable or
// pointer parts.
bool isPlainRecord(mlir::Type type);

} // namespace cufc
#endif // CUFC_LOWER_TYPE_SIZES_H
