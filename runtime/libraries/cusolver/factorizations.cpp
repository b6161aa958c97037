// LU, Cholesky and symmetric factorisations, and systems solved with them, on the host device.
#include "libraries/cusolver/cusolver.h"

namespace cufrt::libraries::cusolver {

// The factors of Gauss's elimination as it stands.
template <typename T>
int factorWithoutPivots(int m, int n, T *a, int lda) {
  int info = 0;
  for (int64_t k = 0; k < std::min(m, n); ++k) {
    if (a[k * lda + k] == T(0)) {
      info = info ? info : static_cast<int>(k) + 1;
      continue;
    }
    for (int64_t i = k + 1; i < m; ++i)
      a[k * lda + i] /= a[k * lda + k];
    for (int64_t j = k + 1; j < n; ++j)
      for (int64_t i = k + 1; i < m; ++i)
        a[j * lda + i] -= a[k * lda + i] * a[j * lda + k];
  }
  return info;
}
template int factorWithoutPivots(int, int, float *, int);
template int factorWithoutPivots(int, int, double *, int);
template int factorWithoutPivots(int, int, ComplexFloat *, int);
template int factorWithoutPivots(int, int, ComplexDouble *, int);

namespace {

// All sizes of workspaces by fill and order.
template <typename T>
Status sizeOfTriangle(void *handle, int fill, int n, T *, int lda, int *size) {
  return tellSize(handle, isFill(fill) && n >= 0 && fits(lda, n), size, n);
}

template <typename T>
Status potrf(void *handle, int fill, int n, T *a, int lda, T *, int, int *info) {
  return run(handle, isFill(fill) && n >= 0 && fits(lda, n), [=] {
    int result = 0;
    call<T>("potrf", fillLetter(fill), n, opened(a), lda, &result);
    tell(info, result);
  });
}

template <typename T>
Status potrs(void *handle, int fill, int n, int rightSides, const T *a, int lda, T *b, int ldb,
             int *info) {
  return run(
      handle, isFill(fill) && n >= 0 && rightSides >= 0 && fits(lda, n) && fits(ldb, n), [=] {
        int result = 0;
        call<T>("potrs", fillLetter(fill), n, rightSides, opened(a), lda, opened(b), ldb, &result);
        tell(info, result);
      });
}

template <typename T>
Status potrfBatched(void *handle, int fill, int n, T *const *a, int lda, int *info, int batches) {
  return run(handle, isFill(fill) && n >= 0 && fits(lda, n) && batches >= 0 && info, [=] {
    for (int i = 0; i < batches; ++i)
      call<T>("potrf", fillLetter(fill), n, opened(a[i]), lda, opened(info) + i);
  });
}

template <typename T>
Status potrsBatched(void *handle, int fill, int n, int rightSides, T *const *a, int lda,
                    T *const *b, int ldb, int *info, int batches) {
  bool right =
      isFill(fill) && n >= 0 && rightSides == 1 && fits(lda, n) && fits(ldb, n) && batches >= 0;
  return run(handle, right, [=] {
    int result = 0;
    for (int i = 0; i < batches; ++i)
      call<T>("potrs", fillLetter(fill), n, rightSides, opened(a[i]), lda, opened(b[i]), ldb,
              &result);
    tell(info, result);
  });
}

template <typename T>
Status potri(void *handle, int fill, int n, T *a, int lda, T *, int, int *info) {
  return run(handle, isFill(fill) && n >= 0 && fits(lda, n), [=] {
    int result = 0;
    call<T>("potri", fillLetter(fill), n, opened(a), lda, &result);
    tell(info, result);
  });
}

template <typename T>
Status lauum(void *handle, int fill, int n, T *a, int lda, T *, int, int *info) {
  return run(handle, isFill(fill) && n >= 0 && fits(lda, n), [=] {
    int result = 0;
    call<T>("lauum", fillLetter(fill), n, opened(a), lda, &result);
    tell(info, result);
  });
}

template <typename T>
Status getrfSize(void *handle, int m, int n, T *, int lda, int *size) {
  return tellSize(handle, m >= 0 && n >= 0 && fits(lda, m), size, std::max(m, n));
}

template <typename T>
Status getrf(void *handle, int m, int n, T *a, int lda, T *, int *pivots, int *info) {
  return run(handle, m >= 0 && n >= 0 && fits(lda, m), [=] {
    int result = 0;
    if (pivots)
      call<T>("getrf", m, n, opened(a), lda, opened(pivots), &result);
    else
      result = factorWithoutPivots(m, n, opened(a), lda);
    tell(info, result);
  });
}

template <typename T>
Status laswp(void *handle, int n, T *a, int lda, int first, int last, const int *pivots, int step) {
  return run(handle, n >= 0 && first >= 1 && pivots,
             [=] { call<T>("laswp", n, opened(a), lda, first, last, opened(pivots), step); });
}

template <typename T>
Status getrs(void *handle, int operation, int n, int rightSides, const T *a, int lda,
             const int *pivots, T *b, int ldb, int *info) {
  bool right = isOperation(operation) && n >= 0 && rightSides >= 0 && fits(lda, n) && fits(ldb, n);
  return run(handle, right, [=] {
    std::vector<int> identity = room<int>(pivots ? 0 : n);
    for (int i = 0; !pivots && i < n; ++i)
      identity[static_cast<size_t>(i)] = i + 1;
    int result = 0;
    call<T>("getrs", operationLetter(operation), n, rightSides, opened(a), lda,
            pivots ? opened(pivots) : identity.data(), opened(b), ldb, &result);
    tell(info, result);
  });
}

template <typename T>
Status sytrfSize(void *handle, int n, T *, int lda, int *size) {
  return tellSize(handle, n >= 0 && fits(lda, n), size, n);
}

template <typename T>
Status sytrf(void *handle, int fill, int n, T *a, int lda, int *pivots, T *, int, int *info) {
  return run(handle, isFill(fill) && n >= 0 && fits(lda, n) && pivots, [=] {
    tell(info, lapack<T>("sytrf", fillLetter(fill), n, opened(a), lda, opened(pivots)));
  });
}

template <typename T>
Status sytriSize(void *handle, int fill, int n, T *, int lda, const int *, int *size) {
  return tellSize(handle, isFill(fill) && n >= 0 && fits(lda, n), size, n);
}

template <typename T>
Status sytri(void *handle, int fill, int n, T *a, int lda, const int *pivots, T *, int, int *info) {
  return run(handle, isFill(fill) && n >= 0 && fits(lda, n) && pivots, [=] {
    std::vector<T> work = room<T>(2 * int64_t(n));
    int result = 0;
    call<T>("sytri", fillLetter(fill), n, opened(a), lda, opened(pivots), work.data(), &result);
    tell(info, result);
  });
}

} // namespace

std::span<const HostFunction> factorizations() {
  static const HostFunction rows[] = {
      CUFRT_ALL("potrf_bufferSize", sizeOfTriangle),
      CUFRT_ALL("potrf", potrf),
      CUFRT_ALL("potrs", potrs),
      CUFRT_ALL("potrfBatched", potrfBatched),
      CUFRT_ALL("potrsBatched", potrsBatched),
      CUFRT_ALL("potri_bufferSize", sizeOfTriangle),
      CUFRT_ALL("potri", potri),
      CUFRT_ALL("lauum_bufferSize", sizeOfTriangle),
      CUFRT_ALL("lauum", lauum),
      CUFRT_ALL("getrf_bufferSize", getrfSize),
      CUFRT_ALL("getrf", getrf),
      CUFRT_ALL("laswp", laswp),
      CUFRT_ALL("getrs", getrs),
      CUFRT_ALL("sytrf_bufferSize", sytrfSize),
      CUFRT_ALL("sytrf", sytrf),
      CUFRT_ALL("sytri_bufferSize", sytriSize),
      CUFRT_ALL("sytri", sytri),
  };
  return rows;
}

} // namespace cufrt::libraries::cusolver
