// The product of two sparse matrices whose structure is found once: `nnz` finds it, `copy` hands
// the indices out, and `compute` puts values there as often as the program likes.
#include "libraries/cusparse/sparse_products.h"

#include <algorithm>

namespace cufrt::libraries::cusparse {
namespace {

bool isAlgorithm(int algorithm) { return algorithm >= 0 && algorithm <= 5; } // cusparseSpGEMMAlg_t

// What all steps ask first: the operands and what they share.
Status stepOf(void *handle, int opA, int opB, void *a, void *b, void *c, int algorithm, void *steps,
              Operands &operands) {
  SparseMatrix *left = sparseMatrices().find(a);
  Status status = operandsOf(handle, opA, opB, a, b, c, left ? left->type : real64, operands);
  if (status == ok && (!allSteps().find(steps) || !isAlgorithm(algorithm)))
    return invalidValue;
  return status;
}

Status tellOne(size_t *size) {
  if (!size)
    return invalidValue;
  *size = 16;
  return ok;
}

Status estimate(void *handle, int opA, int opB, void *a, void *b, void *c, int algorithm,
                void *steps, size_t *size, void *buffer) {
  Operands operands;
  Status status = stepOf(handle, opA, opB, a, b, c, algorithm, steps, operands);
  return status || buffer ? status : tellOne(size);
}

// The columns of each row of the product, in order.
void makeStructure(const SparseMatrix &a, const SparseMatrix &b, Steps &steps) {
  steps.offsets.assign(1, 0);
  steps.columns.clear();
  steps.products = 0;
  for (int64_t i = 0; i < a.rows; ++i) {
    std::vector<int64_t> row;
    for (int64_t k = beginOfRow(a, i); k < beginOfRow(a, i + 1); ++k) {
      int64_t inner = columnAt(a, k);
      for (int64_t l = beginOfRow(b, inner); l < beginOfRow(b, inner + 1); ++l)
        row.push_back(columnAt(b, l));
    }
    steps.products += static_cast<int64_t>(row.size());
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
    steps.columns.insert(steps.columns.end(), row.begin(), row.end());
    steps.offsets.push_back(static_cast<int64_t>(steps.columns.size()));
  }
}

Status structure(void *handle, int opA, int opB, void *a, void *b, void *c, int algorithm,
                 void *steps, size_t *size2, void *buffer2, size_t *size3, void *buffer3,
                 size_t *size4, void *buffer4) {
  Operands operands;
  if (Status status = stepOf(handle, opA, opB, a, b, c, algorithm, steps, operands))
    return status;
  if (!buffer2 && !buffer3 && !buffer4) {
    for (size_t *size : {size2, size3, size4})
      if (tellOne(size))
        return invalidValue;
    return ok;
  }
  Steps *made = allSteps().find(steps);
  Status status =
      run(handle, true, {real64}, [=](auto *) { makeStructure(*operands.a, *operands.b, *made); });
  operands.c->rows = operands.a->rows;
  operands.c->columns = operands.b->columns;
  operands.c->count = static_cast<int64_t>(made->columns.size());
  return status;
}

Status copy(void *handle, int opA, int opB, void *a, void *b, void *c, int algorithm, void *steps,
            size_t *size, void *buffer) {
  Operands operands;
  if (Status status = stepOf(handle, opA, opB, a, b, c, algorithm, steps, operands))
    return status;
  Steps *made = allSteps().find(steps);
  if (made->offsets.empty())
    return invalidValue;
  if (!buffer)
    return tellOne(size);
  return run(handle, true, {real64}, [=](auto *) {
    const SparseMatrix &into = *operands.c;
    for (size_t i = 0; i < made->offsets.size(); ++i)
      setIndex(into.offsets, into.offsetType, static_cast<int64_t>(i),
               made->offsets[i] + into.base);
    for (size_t k = 0; k < made->columns.size(); ++k)
      setIndex(into.indices, into.indexType, static_cast<int64_t>(k), made->columns[k] + into.base);
  });
}

// `sums` has room for a row, as a dense one.
template <typename T>
void multiply(const Operands &operands, T alpha, T beta, std::vector<T> &sums) {
  const SparseMatrix &a = *operands.a, &b = *operands.b, &c = *operands.c;
  const T *left = static_cast<const T *>(a.values), *right = static_cast<const T *>(b.values);
  T *values = static_cast<T *>(c.values);
  for (int64_t i = 0; i < a.rows; ++i) {
    for (int64_t k = beginOfRow(a, i); k < beginOfRow(a, i + 1); ++k) {
      int64_t inner = columnAt(a, k);
      for (int64_t l = beginOfRow(b, inner); l < beginOfRow(b, inner + 1); ++l)
        sums[static_cast<size_t>(columnAt(b, l))] += left[k] * right[l];
    }
    for (int64_t k = beginOfRow(c, i); k < beginOfRow(c, i + 1); ++k) {
      T &sum = sums[static_cast<size_t>(columnAt(c, k))];
      values[k] = alpha * sum + (beta == T(0) ? T(0) : beta * values[k]);
      sum = T(0);
    }
  }
}

Status compute(void *handle, int opA, int opB, const void *alpha, void *a, void *b,
               const void *beta, void *c, int type, int algorithm, void *steps) {
  Operands operands;
  if (Status status = stepOf(handle, opA, opB, a, b, c, algorithm, steps, operands))
    return status;
  if (!alpha || !beta || allSteps().find(steps)->offsets.empty())
    return invalidValue;
  return run(handle, true, {type, operands.a->type},
             [=, alpha = AnyScalar(alpha, type), beta = AnyScalar(beta, type)](auto *null) {
               using T = ElementOf<decltype(null)>;
               std::vector<T> sums(static_cast<size_t>(operands.b->columns));
               multiply<T>(operands, narrowed<T>(alpha.get()), narrowed<T>(beta.get()), sums);
             });
}

} // namespace

std::span<const HostFunction> reusedProducts() {
  static const HostFunction rows[] = {
      CUFRT_ROW("cusparseSpGEMMreuse_workEstimation", estimate),
      CUFRT_ROW("cusparseSpGEMMreuse_nnz", structure),
      CUFRT_ROW("cusparseSpGEMMreuse_copy", copy),
      CUFRT_ROW("cusparseSpGEMMreuse_compute", compute),
  };
  return rows;
}

} // namespace cufrt::libraries::cusparse
