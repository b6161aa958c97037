// Triangular systems with sparse matrices on the host device: rows are solved one after the other.
#include "libraries/cusparse/triangle.h"

namespace cufrt::libraries::cusparse {
namespace {

// Values that `updateMatrix` has put in the place of the matrix's; null for none.
struct Steps {
  void *newValues = nullptr;
};
LiveObjects<Steps> &allSteps() {
  static auto *instance = new LiveObjects<Steps>;
  return *instance;
}

Status createSteps(void **steps) {
  if (!steps)
    return invalidValue;
  *steps = allSteps().create();
  return ok;
}

Status destroySteps(void *steps) { return allSteps().destroy(steps) ? ok : invalidValue; }

Status vectorSize(void *handle, int, const void *, void *a, void *x, void *y, int, int, void *steps,
                  size_t *size) {
  bool right = sparseMatrices().find(a) && denseVectors().find(x) && denseVectors().find(y) &&
               allSteps().find(steps);
  return tellSize(handle, right, size);
}

Status vectorAnalysis(void *handle, int, const void *, void *a, void *, void *, int, int,
                      void *steps, void *) {
  return !contexts().find(handle)                             ? notInitialized
         : sparseMatrices().find(a) && allSteps().find(steps) ? ok
                                                              : invalidValue;
}

Status matrixSize(void *handle, int, int, const void *, void *a, void *b, void *c, int, int,
                  void *steps, size_t *size) {
  bool right = sparseMatrices().find(a) && denseMatrices().find(b) && denseMatrices().find(c) &&
               allSteps().find(steps);
  return tellSize(handle, right, size);
}

Status matrixAnalysis(void *handle, int, int, const void *, void *a, void *, void *, int, int,
                      void *steps, void *) {
  return vectorAnalysis(handle, 0, nullptr, a, nullptr, nullptr, 0, 0, steps, nullptr);
}

// New values of the whole matrix. Of the diagonal alone they are not supported here.
Status updateMatrix(void *handle, void *steps, void *values, int part) {
  Steps *known = allSteps().find(steps);
  if (!contexts().find(handle))
    return notInitialized;
  if (!known || !values)
    return invalidValue;
  if (part != 0)
    return notSupported;
  known->newValues = values;
  return ok;
}

SparseMatrix updated(const SparseMatrix &matrix, void *steps) {
  SparseMatrix made = matrix;
  if (void *values = allSteps().find(steps)->newValues)
    made.values = values;
  return made;
}

Status solveVector(void *handle, int operation, const void *alpha, void *a, void *x, void *y,
                   int type, int, void *steps) {
  SparseMatrix *matrix = sparseMatrices().find(a);
  DenseVector *from = denseVectors().find(x), *to = denseVectors().find(y);
  bool right = matrix && from && to && alpha && allSteps().find(steps) && isOperation(operation) &&
               matrix->rows == matrix->columns && from->size == matrix->rows &&
               to->size == matrix->rows;
  if (!right)
    return contexts().find(handle) ? invalidValue : notInitialized;
  return run(handle, true, {matrix->type, from->type, to->type, type},
             [=, matrix = updated(*matrix, steps), from = *from, to = *to,
              alpha = AnyScalar(alpha, type)](auto *null) {
               using T = ElementOf<decltype(null)>;
               T factor = narrowed<T>(alpha.get());
               const T *given = static_cast<const T *>(from.values);
               T *wanted = static_cast<T *>(to.values);
               Triangle<T>(matrix, operation)
                   .solve([&](int64_t i) { return factor * given[i]; },
                          [&](int64_t i, T value) { wanted[i] = value; });
             });
}

Status solveMatrix(void *handle, int opA, int opB, const void *alpha, void *a, void *b, void *c,
                   int type, int, void *steps) {
  SparseMatrix *matrix = sparseMatrices().find(a);
  DenseMatrix *from = denseMatrices().find(b), *to = denseMatrices().find(c);
  bool right = matrix && from && to && alpha && allSteps().find(steps) && isOperation(opA) &&
               isOperation(opB) && matrix->rows == matrix->columns && to->rows == matrix->rows;
  if (!right)
    return contexts().find(handle) ? invalidValue : notInitialized;
  return run(handle, true, {matrix->type, from->type, to->type, type},
             [=, matrix = updated(*matrix, steps), from = *from, to = *to,
              alpha = AnyScalar(alpha, type)](auto *null) {
               using T = ElementOf<decltype(null)>;
               T factor = narrowed<T>(alpha.get());
               DenseView<T> given(from), wanted(to);
               Triangle<T> triangle(matrix, opA);
               for (int64_t j = 0; j < to.columns; ++j)
                 triangle.solve([&](int64_t i) { return factor * given.get(opB, i, j); },
                                [&](int64_t i, T value) { wanted(i, j) = value; });
             });
}

} // namespace

std::span<const HostFunction> solvers() {
  static const HostFunction rows[] = {
      CUFRT_ROW("cusparseSpSV_createDescr", createSteps),
      CUFRT_ROW("cusparseSpSV_destroyDescr", destroySteps),
      CUFRT_ROW("cusparseSpSV_bufferSize", vectorSize),
      CUFRT_ROW("cusparseSpSV_analysis", vectorAnalysis),
      CUFRT_ROW("cusparseSpSV_solve", solveVector),
      CUFRT_ROW("cusparseSpSV_updateMatrix", updateMatrix),
      CUFRT_ROW("cusparseSpSM_createDescr", createSteps),
      CUFRT_ROW("cusparseSpSM_destroyDescr", destroySteps),
      CUFRT_ROW("cusparseSpSM_bufferSize", matrixSize),
      CUFRT_ROW("cusparseSpSM_analysis", matrixAnalysis),
      CUFRT_ROW("cusparseSpSM_solve", solveMatrix),
      CUFRT_ROW("cusparseSpSM_updateMatrix", updateMatrix),
  };
  return rows;
}

} // namespace cufrt::libraries::cusparse
