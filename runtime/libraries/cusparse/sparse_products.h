// The product of two sparse matrices stored by rows: what its steps share, once or with values that
// change.
#ifndef CUFRT_LIBRARIES_CUSPARSE_SPARSE_PRODUCTS_H
#define CUFRT_LIBRARIES_CUSPARSE_SPARSE_PRODUCTS_H

#include "libraries/cusparse/cusparse.h"

namespace cufrt::libraries::cusparse {

// A product as the steps have it so far, by rows from 0. Without values where the structure is used
// again.
struct Steps {
  std::vector<int64_t> offsets, columns;
  std::vector<ComplexDouble> values;
  int64_t products = 0;
};
LiveObjects<Steps> &allSteps();

struct Operands {
  SparseMatrix *a, *b, *c;
};

// As on a GPU: stored by rows, not transposed, of one type.
Status operandsOf(void *handle, int opA, int opB, void *a, void *b, void *c, int type,
                  Operands &operands);

// The first element of a row, from 0, and the one behind its last.
inline int64_t beginOfRow(const SparseMatrix &matrix, int64_t row) {
  return indexAt(matrix.offsets, matrix.offsetType, row) - matrix.base;
}
inline int64_t columnAt(const SparseMatrix &matrix, int64_t k) {
  return indexAt(matrix.indices, matrix.indexType, k) - matrix.base;
}

} // namespace cufrt::libraries::cusparse
#endif // CUFRT_LIBRARIES_CUSPARSE_SPARSE_PRODUCTS_H
