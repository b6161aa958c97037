// The product of two sparse matrices stored by rows, in the library's steps: `compute` makes it in
// memory of its own and tells its size by the description of C, `copy` hands it out.
#include "libraries/cusparse/sparse_products.h"

#include <algorithm>
#include <map>

namespace cufrt::libraries::cusparse {

LiveObjects<Steps> &allSteps() {
  static auto *instance = new LiveObjects<Steps>;
  return *instance;
}

Status operandsOf(void *handle, int opA, int opB, void *a, void *b, void *c, int type,
                  Operands &operands) {
  operands = {sparseMatrices().find(a), sparseMatrices().find(b), sparseMatrices().find(c)};
  if (!contexts().find(handle))
    return notInitialized;
  if (!operands.a || !operands.b || !operands.c || operands.a->columns != operands.b->rows)
    return invalidValue;
  for (const SparseMatrix *matrix : {operands.a, operands.b, operands.c})
    if (matrix->format != Format::csr || matrix->type != type)
      return notSupported;
  return opA == plain && opB == plain ? ok : notSupported;
}

namespace {

Status createSteps(void **steps) {
  if (!steps)
    return invalidValue;
  *steps = allSteps().create();
  return ok;
}

Status destroySteps(void *steps) { return allSteps().destroy(steps) ? ok : invalidValue; }

int64_t lengthOfRow(const SparseMatrix &matrix, int64_t row) {
  return indexAt(matrix.offsets, matrix.offsetType, row + 1) -
         indexAt(matrix.offsets, matrix.offsetType, row);
}

int64_t productsOf(const SparseMatrix &a, const SparseMatrix &b) {
  int64_t products = 0;
  int64_t elements = indexAt(a.offsets, a.offsetType, a.rows) - a.base;
  for (int64_t k = 0; k < elements; ++k)
    products += lengthOfRow(b, indexAt(a.indices, a.indexType, k) - a.base);
  return products;
}

Status estimate(void *handle, int opA, int opB, const void *, void *a, void *b, const void *,
                void *c, int type, int, void *steps, size_t *size, void *buffer) {
  Operands operands;
  if (Status status = operandsOf(handle, opA, opB, a, b, c, type, operands))
    return status;
  Steps *made = allSteps().find(steps);
  if (!size || !made)
    return invalidValue;
  if (!buffer) {
    *size = 16;
    return ok;
  }
  return run(handle, true, {type},
             [=](auto *) { made->products = productsOf(*operands.a, *operands.b); });
}

template <typename T>
void makeProduct(const SparseMatrix &a, const SparseMatrix &b, T alpha, Steps &steps) {
  steps.offsets.assign(1, 0);
  steps.columns.clear();
  steps.values.clear();
  steps.products = 0;
  const T *left = static_cast<const T *>(a.values), *right = static_cast<const T *>(b.values);
  for (int64_t i = 0; i < a.rows; ++i) {
    std::map<int64_t, T> row;
    int64_t last = indexAt(a.offsets, a.offsetType, i + 1) - a.base;
    for (int64_t k = indexAt(a.offsets, a.offsetType, i) - a.base; k < last; ++k) {
      int64_t inner = indexAt(a.indices, a.indexType, k) - a.base;
      int64_t first = indexAt(b.offsets, b.offsetType, inner) - b.base;
      for (int64_t l = first; l < first + lengthOfRow(b, inner); ++l, ++steps.products)
        row[indexAt(b.indices, b.indexType, l) - b.base] += left[k] * right[l];
    }
    for (const auto &[column, value] : row) {
      steps.columns.push_back(column);
      steps.values.push_back(ComplexDouble(alpha * value));
    }
    steps.offsets.push_back(static_cast<int64_t>(steps.columns.size()));
  }
}

// What the algorithms with less memory want; these loops want none.
Status estimateMemory(void *handle, int opA, int opB, const void *alpha, void *a, void *b,
                      const void *beta, void *c, int type, int, void *steps, float part,
                      size_t *size3, void *, size_t *size2) {
  Operands operands;
  if (Status status = operandsOf(handle, opA, opB, a, b, c, type, operands))
    return status;
  if (!alpha || !beta || !allSteps().find(steps) || !(part > 0 && part <= 1) || !size3)
    return invalidValue;
  *size3 = 16;
  if (size2)
    *size2 = 16;
  return ok;
}

Status compute(void *handle, int opA, int opB, const void *alpha, void *a, void *b, const void *,
               void *c, int type, int, void *steps, size_t *size, void *buffer) {
  Operands operands;
  if (Status status = operandsOf(handle, opA, opB, a, b, c, type, operands))
    return status;
  Steps *made = allSteps().find(steps);
  if (!size || !made || !alpha)
    return invalidValue;
  if (!buffer) {
    *size = 16;
    return ok;
  }
  Status status = run(handle, true, {type}, [=, alpha = AnyScalar(alpha, type)](auto *null) {
    using T = ElementOf<decltype(null)>;
    makeProduct(*operands.a, *operands.b, narrowed<T>(alpha.get()), *made);
  });
  operands.c->rows = operands.a->rows;
  operands.c->columns = operands.b->columns;
  operands.c->count = static_cast<int64_t>(made->columns.size());
  return status;
}

Status productCount(void *steps, int64_t *count) {
  Steps *made = allSteps().find(steps);
  if (!made || !count)
    return invalidValue;
  *count = made->products;
  return ok;
}

Status copy(void *handle, int opA, int opB, const void *, void *a, void *b, const void *beta,
            void *c, int type, int, void *steps) {
  Operands operands;
  if (Status status = operandsOf(handle, opA, opB, a, b, c, type, operands))
    return status;
  Steps *made = allSteps().find(steps);
  if (!made || !beta || made->offsets.empty())
    return invalidValue;
  return run(handle, true, {type}, [=, beta = AnyScalar(beta, type)](auto *null) {
    using T = ElementOf<decltype(null)>;
    const SparseMatrix &into = *operands.c;
    T before = narrowed<T>(beta.get());
    T *values = static_cast<T *>(into.values);
    for (size_t i = 0; i < made->offsets.size(); ++i)
      setIndex(into.offsets, into.offsetType, static_cast<int64_t>(i),
               made->offsets[i] + into.base);
    for (size_t k = 0; k < made->columns.size(); ++k) {
      setIndex(into.indices, into.indexType, static_cast<int64_t>(k), made->columns[k] + into.base);
      values[k] = narrowed<T>(made->values[k]) + (before == T(0) ? T(0) : before * values[k]);
    }
  });
}

} // namespace

std::span<const HostFunction> sparseProducts() {
  static const HostFunction rows[] = {
      CUFRT_ROW("cusparseSpGEMM_createDescr", createSteps),
      CUFRT_ROW("cusparseSpGEMM_destroyDescr", destroySteps),
      CUFRT_ROW("cusparseSpGEMM_workEstimation", estimate),
      CUFRT_ROW("cusparseSpGEMM_compute", compute),
      CUFRT_ROW("cusparseSpGEMM_getNumProducts", productCount),
      CUFRT_ROW("cusparseSpGEMM_copy", copy),
      CUFRT_ROW("cusparseSpGEMM_estimateMemory", estimateMemory),
  };
  return rows;
}

} // namespace cufrt::libraries::cusparse
