// What cuBLAS has beyond BLAS for one matrix: sums of matrices, products with a diagonal, and
// triangles between packed and full storage.
#include "libraries/cublas/cublas.h"

namespace cufrt::libraries::cublas {
namespace {

template <typename T>
T element(Operation operation, const T *a, int64_t lda, int64_t i, int64_t j) {
  if (operation == Operation::plain)
    return a[j * lda + i];
  return operation == Operation::conjugated ? conjugate(a[i * lda + j]) : a[i * lda + j];
}

// With a factor of zero the matrix is not read. C may be A or B if that is not transposed.
template <typename T>
Status geam(void *handle, Operation ta, Operation tb, int m, int n, In<T> alpha, const T *a,
            int lda, In<T> beta, const T *b, int ldb, T *c, int ldc) {
  bool inPlaceA = a == c && ta != Operation::plain, inPlaceB = b == c && tb != Operation::plain;
  bool right =
      isValid(ta) && isValid(tb) && m >= 0 && n >= 0 && fits(ldc, m) && !inPlaceA && !inPlaceB;
  return run(handle, right, [=, alpha = scalar(alpha), beta = scalar(beta)] {
    T left = alpha.get(), other = beta.get();
    for (int64_t j = 0; j < n; ++j)
      for (int64_t i = 0; i < m; ++i) {
        T sum = left == T(0) ? T(0) : left * element(ta, a, lda, i, j);
        c[j * ldc + i] = other == T(0) ? sum : sum + other * element(tb, b, ldb, i, j);
      }
  });
}

template <typename T>
Status dgmm(void *handle, Side side, int m, int n, const T *a, int lda, const T *x, int incx, T *c,
            int ldc) {
  bool right = isValid(side) && m >= 0 && n >= 0 && fits(lda, m) && fits(ldc, m);
  return run(handle, right, [=] {
    int64_t length = side == Side::left ? m : n, start = incx < 0 ? (1 - length) * incx : 0;
    for (int64_t j = 0; j < n; ++j)
      for (int64_t i = 0; i < m; ++i)
        c[j * ldc + i] = a[j * lda + i] * x[start + (side == Side::left ? i : j) * incx];
  });
}

// Calls with each element of the triangle: row, column, place in packed storage.
template <typename Visit>
void eachOfTriangle(Fill fill, int64_t n, const Visit &visit) {
  int64_t place = 0;
  for (int64_t j = 0; j < n; ++j)
    for (int64_t i = fill == Fill::upper ? 0 : j; i < (fill == Fill::upper ? j + 1 : n); ++i)
      visit(i, j, place++);
}

template <typename T>
Status tpttr(void *handle, Fill fill, int n, const T *packed, T *a, int lda) {
  return run(handle, isValid(fill) && n >= 0 && fits(lda, n), [=] {
    eachOfTriangle(fill, n,
                   [=](int64_t i, int64_t j, int64_t place) { a[j * lda + i] = packed[place]; });
  });
}

template <typename T>
Status trttp(void *handle, Fill fill, int n, const T *a, int lda, T *packed) {
  return run(handle, isValid(fill) && n >= 0 && fits(lda, n), [=] {
    eachOfTriangle(fill, n,
                   [=](int64_t i, int64_t j, int64_t place) { packed[place] = a[j * lda + i]; });
  });
}

} // namespace

std::span<const HostFunction> extensions() {
  static const HostFunction rows[] = {
      CUFRT_ALL("cublas", "geam", geam),
      CUFRT_ALL("cublas", "dgmm", dgmm),
      CUFRT_ALL("cublas", "tpttr", tpttr),
      CUFRT_ALL("cublas", "trttp", trttp),
  };
  return rows;
}

} // namespace cufrt::libraries::cublas
