// Values of host code that are computed alike.
#ifndef CUFC_LOWER_EQUAL_VALUES_H
#define CUFC_LOWER_EQUAL_VALUES_H

#include "mlir/IR/Value.h"

namespace cufc {

// Whether both are the same number, as the extents of a(n, m) and b(n, m) are, which flang computes
// for each array by itself. No if that cannot be seen.
bool areEqual(mlir::Value one, mlir::Value other);

// Whether operations without effects make a number of constants alone, such as a constant extent
// that is limited to zero.
bool isOfConstants(mlir::Value value, int depth = 8);

} // namespace cufc
#endif // CUFC_LOWER_EQUAL_VALUES_H
