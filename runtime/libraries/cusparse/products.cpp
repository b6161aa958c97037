// Products of sparse and dense data on the host device.
#include "libraries/cusparse/cusparse.h"

namespace cufrt::libraries::cusparse {
namespace {

Status mvSize(void *handle, int operation, const void *, void *a, void *x, const void *, void *y,
              int, int, size_t *size) {
  bool right = isOperation(operation) && sparseMatrices().find(a) && denseVectors().find(x) &&
               denseVectors().find(y);
  return tellSize(handle, right, size);
}

template <typename T>
void multiplyVector(const SparseMatrix &a, int operation, T alpha, const T *x, T beta, T *y,
                    int64_t size) {
  for (int64_t i = 0; i < size; ++i)
    y[i] = beta == T(0) ? T(0) : beta * y[i];
  if (a.format == Format::csr && operation == plain) { // whole rows, so that sums stay in registers
    const T *values = static_cast<const T *>(a.values);
    for (int64_t i = 0; i < a.rows; ++i) {
      T sum = 0;
      int64_t last = indexAt(a.offsets, a.offsetType, i + 1) - a.base;
      for (int64_t k = indexAt(a.offsets, a.offsetType, i) - a.base; k < last; ++k)
        sum += values[k] * x[indexAt(a.indices, a.indexType, k) - a.base];
      y[i] += alpha * sum;
    }
    return;
  }
  eachOf<T>(a, operation,
            [&](int64_t row, int64_t column, T value) { y[row] += alpha * value * x[column]; });
}

Status multiply(void *handle, int operation, const void *alpha, void *a, void *x, const void *beta,
                void *y, int type, int, void *) {
  SparseMatrix *matrix = sparseMatrices().find(a);
  DenseVector *from = denseVectors().find(x), *to = denseVectors().find(y);
  bool right = isOperation(operation) && matrix && from && to && alpha && beta &&
               from->size == (operation == plain ? matrix->columns : matrix->rows) &&
               to->size == (operation == plain ? matrix->rows : matrix->columns);
  if (!right)
    return contexts().find(handle) ? invalidValue : notInitialized;
  return run(handle, true, {matrix->type, from->type, to->type, type},
             [=, matrix = *matrix, from = *from, to = *to, alpha = AnyScalar(alpha, type),
              beta = AnyScalar(beta, type)](auto *null) {
               using T = ElementOf<decltype(null)>;
               multiplyVector(matrix, operation, narrowed<T>(alpha.get()),
                              static_cast<const T *>(from.values), narrowed<T>(beta.get()),
                              static_cast<T *>(to.values), to.size);
             });
}

Status mmSize(void *handle, int, int, const void *, void *a, void *b, const void *, void *c, int,
              int, size_t *size) {
  return tellSize(
      handle, sparseMatrices().find(a) && denseMatrices().find(b) && denseMatrices().find(c), size);
}

template <typename T>
void multiplyOne(const SparseMatrix &left, const DenseMatrix &right, const DenseMatrix &into,
                 int opA, int opB, T factor, T before) {
  DenseView<T> from(right), to(into);
  for (int64_t j = 0; j < into.columns; ++j)
    for (int64_t i = 0; i < into.rows; ++i)
      to(i, j) = before == T(0) ? T(0) : before * to(i, j);
  eachOf<T>(left, opA, [&](int64_t row, int64_t column, T value) {
    for (int64_t j = 0; j < into.columns; ++j)
      to(row, j) += factor * value * from.get(opB, column, j);
  });
}

Status multiplyDense(void *handle, int opA, int opB, const void *alpha, void *a, void *b,
                     const void *beta, void *c, int type, int, void *) {
  SparseMatrix *left = sparseMatrices().find(a);
  DenseMatrix *right = denseMatrices().find(b), *into = denseMatrices().find(c);
  if (!left || !right || !into || !isOperation(opA) || !isOperation(opB) || !alpha || !beta)
    return contexts().find(handle) ? invalidValue : notInitialized;
  int64_t rows = opA == plain ? left->rows : left->columns,
          inner = opA == plain ? left->columns : left->rows;
  bool fits = into->rows == rows && inner == (opB == plain ? right->rows : right->columns) &&
              into->columns == (opB == plain ? right->columns : right->rows) &&
              fitBatches(into->batches, *left, *right);
  return run(handle, fits, {left->type, right->type, into->type, type},
             [=, left = *left, right = *right, into = *into, alpha = AnyScalar(alpha, type),
              beta = AnyScalar(beta, type)](auto *null) {
               using T = ElementOf<decltype(null)>;
               T factor = narrowed<T>(alpha.get()), before = narrowed<T>(beta.get());
               for (int number = 0; number < into.batches; ++number)
                 multiplyOne<T>(oneOf(left, number), oneOf(right, number), oneOf(into, number), opA,
                                opB, factor, before);
             });
}

Status sampledSize(void *handle, int, int, const void *, void *a, void *b, const void *, void *c,
                   int, int, size_t *size) {
  return tellSize(
      handle, denseMatrices().find(a) && denseMatrices().find(b) && sparseMatrices().find(c), size);
}

template <typename T>
void sampleOne(const DenseMatrix &left, const DenseMatrix &right, const SparseMatrix &into, int opA,
               int opB, T factor, T before) {
  DenseView<T> one(left), other(right);
  T *values = static_cast<T *>(into.values);
  int64_t inner = opA == plain ? left.columns : left.rows;
  eachElement(into, [&](int64_t row, int64_t column, int64_t k) {
    T sum = 0;
    for (int64_t l = 0; l < inner; ++l)
      sum += one.get(opA, row, l) * other.get(opB, l, column);
    values[k] = factor * sum + (before == T(0) ? T(0) : before * values[k]);
  });
}

Status multiplySampled(void *handle, int opA, int opB, const void *alpha, void *a, void *b,
                       const void *beta, void *c, int type, int, void *) {
  DenseMatrix *left = denseMatrices().find(a), *right = denseMatrices().find(b);
  SparseMatrix *into = sparseMatrices().find(c);
  if (!left || !right || !into || !isOperation(opA) || !isOperation(opB) || !alpha || !beta)
    return contexts().find(handle) ? invalidValue : notInitialized;
  return run(handle, fitBatches(into->batches, *left, *right),
             {left->type, right->type, into->type, type},
             [=, left = *left, right = *right, into = *into, alpha = AnyScalar(alpha, type),
              beta = AnyScalar(beta, type)](auto *null) {
               using T = ElementOf<decltype(null)>;
               T factor = narrowed<T>(alpha.get()), before = narrowed<T>(beta.get());
               for (int number = 0; number < into.batches; ++number)
                 sampleOne<T>(oneOf(left, number), oneOf(right, number), oneOf(into, number), opA,
                              opB, factor, before);
             });
}

// What would prepare several products has nothing to do.
Status prepareVector(void *handle, int, const void *, void *a, void *, const void *, void *, int,
                     int, void *) {
  return contexts().find(handle) ? sparseMatrices().find(a) ? ok : invalidValue : notInitialized;
}
Status prepareMatrix(void *handle, int, int, const void *, void *, void *, const void *, void *,
                     int, int, void *) {
  return contexts().find(handle) ? ok : notInitialized;
}

// Runs `body(null, sparse, dense)` for a sparse and a dense vector.
template <typename Body>
Status onVectors(void *handle, void *x, void *y, const Body &body) {
  SparseVector *sparse = sparseVectors().find(x);
  DenseVector *dense = denseVectors().find(y);
  if (!sparse || !dense || sparse->size != dense->size)
    return contexts().find(handle) ? invalidValue : notInitialized;
  return run(handle, true, {sparse->type, dense->type},
             [body, sparse = *sparse, dense = *dense](auto *null) { body(null, sparse, dense); });
}

template <typename T, typename Visit>
void eachPair(const SparseVector &sparse, const DenseVector &dense, const Visit &visit) {
  T *left = static_cast<T *>(sparse.values), *right = static_cast<T *>(dense.values);
  for (int64_t i = 0; i < sparse.count; ++i)
    visit(left[i], right[indexAt(sparse.indices, sparse.indexType, i) - sparse.base]);
}

Status axpby(void *handle, const void *alpha, void *x, const void *beta, void *y) {
  SparseVector *sparse = sparseVectors().find(x);
  int type = sparse ? sparse->type : int(real64);
  return onVectors(handle, x, y,
                   [alpha = AnyScalar(alpha, type), beta = AnyScalar(beta, type)](
                       auto *null, const SparseVector &sparse, const DenseVector &dense) {
                     using T = ElementOf<decltype(null)>;
                     T factor = narrowed<T>(alpha.get()), before = narrowed<T>(beta.get());
                     T *values = static_cast<T *>(dense.values);
                     for (int64_t i = 0; i < dense.size; ++i)
                       values[i] *= before;
                     eachPair<T>(sparse, dense, [&](T &left, T &right) { right += factor * left; });
                   });
}

Status gather(void *handle, void *y, void *x) {
  return onVectors(handle, x, y,
                   [](auto *null, const SparseVector &sparse, const DenseVector &dense) {
                     using T = ElementOf<decltype(null)>;
                     eachPair<T>(sparse, dense, [](T &left, T &right) { left = right; });
                   });
}

Status scatter(void *handle, void *x, void *y) {
  return onVectors(handle, x, y,
                   [](auto *null, const SparseVector &sparse, const DenseVector &dense) {
                     using T = ElementOf<decltype(null)>;
                     eachPair<T>(sparse, dense, [](T &left, T &right) { right = left; });
                   });
}

Status rotate(void *handle, const void *c, const void *s, void *x, void *y) {
  SparseVector *sparse = sparseVectors().find(x);
  int type = sparse ? sparse->type : int(real64);
  return onVectors(handle, x, y,
                   [c = AnyScalar(c, type), s = AnyScalar(s, type)](
                       auto *null, const SparseVector &sparse, const DenseVector &dense) {
                     using T = ElementOf<decltype(null)>;
                     T cosine = narrowed<T>(c.get()), sine = narrowed<T>(s.get());
                     eachPair<T>(sparse, dense, [&](T &left, T &right) {
                       T before = left;
                       left = cosine * before + sine * right;
                       right = cosine * right - sine * before;
                     });
                   });
}

Status vvSize(void *handle, int, void *x, void *y, const void *, int, size_t *size) {
  return tellSize(handle, sparseVectors().find(x) && denseVectors().find(y), size);
}

Status vectorProduct(void *handle, int operation, void *x, void *y, void *result, int, void *) {
  return onVectors(handle, x, y,
                   [=](auto *null, const SparseVector &sparse, const DenseVector &dense) {
                     using T = ElementOf<decltype(null)>;
                     T sum = 0;
                     eachPair<T>(sparse, dense, [&](T &left, T &right) {
                       sum += (operation == conjugated ? conjugate(left) : left) * right;
                     });
                     *static_cast<T *>(opened(result)) = sum;
                   });
}

} // namespace

std::span<const HostFunction> products() {
  static const HostFunction rows[] = {
      CUFRT_ROW("cusparseSpMV_bufferSize", mvSize),
      CUFRT_ROW("cusparseSpMV_preprocess", prepareVector),
      CUFRT_ROW("cusparseSpMV", multiply),
      CUFRT_ROW("cusparseSpMM_bufferSize", mmSize),
      CUFRT_ROW("cusparseSpMM_preprocess", prepareMatrix),
      CUFRT_ROW("cusparseSpMM", multiplyDense),
      CUFRT_ROW("cusparseSDDMM_bufferSize", sampledSize),
      CUFRT_ROW("cusparseSDDMM_preprocess", prepareMatrix),
      CUFRT_ROW("cusparseSDDMM", multiplySampled),
      CUFRT_ROW("cusparseAxpby", axpby),
      CUFRT_ROW("cusparseGather", gather),
      CUFRT_ROW("cusparseScatter", scatter),
      CUFRT_ROW("cusparseRot", rotate),
      CUFRT_ROW("cusparseSpVV_bufferSize", vvSize),
      CUFRT_ROW("cusparseSpVV", vectorProduct),
  };
  return rows;
}

} // namespace cufrt::libraries::cusparse
