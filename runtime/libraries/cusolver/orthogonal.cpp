// QR, reductions to bidiagonal and tridiagonal form, and their orthogonal factors, on the host
// device.
#include "libraries/cusolver/cusolver.h"

namespace cufrt::libraries::cusolver {
namespace {

template <typename T>
const char *named(const char *real, const char *complex) {
  return isComplex<T> ? complex : real;
}

template <typename T>
Status geqrfSize(void *handle, int m, int n, T *, int lda, int *size) {
  return tellSize(handle, m >= 0 && n >= 0 && fits(lda, m), size, n);
}

template <typename T>
Status geqrf(void *handle, int m, int n, T *a, int lda, T *tau, T *, int, int *info) {
  return run(handle, m >= 0 && n >= 0 && fits(lda, m) && tau,
             [=] { tell(info, lapack<T>("geqrf", m, n, opened(a), lda, opened(tau))); });
}

template <typename T>
Status orgqrSize(void *handle, int m, int n, int k, const T *, int lda, const T *, int *size) {
  return tellSize(handle, m >= n && n >= k && k >= 0 && fits(lda, m), size, n);
}

template <typename T>
Status orgqr(void *handle, int m, int n, int k, T *a, int lda, const T *tau, T *, int, int *info) {
  return run(handle, m >= n && n >= k && k >= 0 && fits(lda, m), [=] {
    tell(info, lapack<T>(named<T>("orgqr", "ungqr"), m, n, k, opened(a), lda, opened(tau)));
  });
}

bool isProduct(int side, int operation, int m, int n, int k, int lda, int ldc) {
  int order = side == 0 ? m : n;
  return isSide(side) && isOperation(operation) && m >= 0 && n >= 0 && k >= 0 && k <= order &&
         fits(lda, order) && fits(ldc, m);
}

template <typename T>
Status ormqrSize(void *handle, int side, int operation, int m, int n, int k, const T *, int lda,
                 const T *, const T *, int ldc, int *size) {
  return tellSize(handle, isProduct(side, operation, m, n, k, lda, ldc), size, std::max(m, n));
}

// LAPACK's real routines know no conjugate transpose.
template <typename T>
char productLetter(int operation) {
  return operation == 0 ? 'n' : isComplex<T> ? 'c' : 't';
}

template <typename T>
Status ormqr(void *handle, int side, int operation, int m, int n, int k, const T *a, int lda,
             const T *tau, T *c, int ldc, T *, int, int *info) {
  return run(handle, isProduct(side, operation, m, n, k, lda, ldc), [=] {
    tell(info, lapack<T>(named<T>("ormqr", "unmqr"), sideLetter(side), productLetter<T>(operation),
                         m, n, k, opened(a), lda, opened(tau), opened(c), ldc));
  });
}

Status gebrdSize(void *handle, int m, int n, int *size) {
  return tellSize(handle, m >= 0 && n >= 0, size, m + n);
}

template <typename T>
Status gebrd(void *handle, int m, int n, T *a, int lda, Real<T> *d, Real<T> *e, T *tauq, T *taup,
             T *, int, int *info) {
  return run(handle, m >= n && n >= 0 && fits(lda, m), [=] {
    tell(info, lapack<T>("gebrd", m, n, opened(a), lda, opened(d), opened(e), opened(tauq),
                         opened(taup)));
  });
}

template <typename T>
Status orgbrSize(void *handle, int side, int m, int n, int k, const T *, int lda, const T *,
                 int *size) {
  return tellSize(handle, isSide(side) && m >= 0 && n >= 0 && k >= 0 && fits(lda, m), size,
                  std::max(m, n));
}

template <typename T>
Status orgbr(void *handle, int side, int m, int n, int k, T *a, int lda, const T *tau, T *, int,
             int *info) {
  return run(handle, isSide(side) && m >= 0 && n >= 0 && k >= 0 && fits(lda, m), [=] {
    tell(info, lapack<T>(named<T>("orgbr", "ungbr"), side == 0 ? 'q' : 'p', m, n, k, opened(a), lda,
                         opened(tau)));
  });
}

template <typename T>
Status sytrdSize(void *handle, int fill, int n, const T *, int lda, const Real<T> *,
                 const Real<T> *, const T *, int *size) {
  return tellSize(handle, isFill(fill) && n >= 0 && fits(lda, n), size, n);
}

template <typename T>
Status sytrd(void *handle, int fill, int n, T *a, int lda, Real<T> *d, Real<T> *e, T *tau, T *, int,
             int *info) {
  return run(handle, isFill(fill) && n >= 0 && fits(lda, n), [=] {
    tell(info, lapack<T>(named<T>("sytrd", "hetrd"), fillLetter(fill), n, opened(a), lda, opened(d),
                         opened(e), opened(tau)));
  });
}

template <typename T>
Status orgtrSize(void *handle, int fill, int n, const T *, int lda, const T *, int *size) {
  return tellSize(handle, isFill(fill) && n >= 0 && fits(lda, n), size, n);
}

template <typename T>
Status orgtr(void *handle, int fill, int n, T *a, int lda, const T *tau, T *, int, int *info) {
  return run(handle, isFill(fill) && n >= 0 && fits(lda, n), [=] {
    tell(info,
         lapack<T>(named<T>("orgtr", "ungtr"), fillLetter(fill), n, opened(a), lda, opened(tau)));
  });
}

template <typename T>
Status ormtrSize(void *handle, int side, int fill, int operation, int m, int n, const T *, int lda,
                 const T *, const T *, int ldc, int *size) {
  bool right = isFill(fill) && isProduct(side, operation, m, n, 0, lda, ldc);
  return tellSize(handle, right, size, std::max(m, n));
}

template <typename T>
Status ormtr(void *handle, int side, int fill, int operation, int m, int n, T *a, int lda, T *tau,
             T *c, int ldc, T *, int, int *info) {
  return run(handle, isFill(fill) && isProduct(side, operation, m, n, 0, lda, ldc), [=] {
    tell(info,
         lapack<T>(named<T>("ormtr", "unmtr"), sideLetter(side), fillLetter(fill),
                   productLetter<T>(operation), m, n, opened(a), lda, opened(tau), opened(c), ldc));
  });
}

} // namespace

std::span<const HostFunction> orthogonal() {
  static const HostFunction rows[] = {
      CUFRT_ALL("geqrf_bufferSize", geqrfSize),
      CUFRT_ALL("geqrf", geqrf),
      CUFRT_BOTH("orgqr_bufferSize", "ungqr_bufferSize", orgqrSize),
      CUFRT_BOTH("orgqr", "ungqr", orgqr),
      CUFRT_BOTH("ormqr_bufferSize", "unmqr_bufferSize", ormqrSize),
      CUFRT_BOTH("ormqr", "unmqr", ormqr),
      CUFRT_ROW("cusolverDnSgebrd_bufferSize", gebrdSize),
      CUFRT_ROW("cusolverDnDgebrd_bufferSize", gebrdSize),
      CUFRT_ROW("cusolverDnCgebrd_bufferSize", gebrdSize),
      CUFRT_ROW("cusolverDnZgebrd_bufferSize", gebrdSize),
      CUFRT_ALL("gebrd", gebrd),
      CUFRT_BOTH("orgbr_bufferSize", "ungbr_bufferSize", orgbrSize),
      CUFRT_BOTH("orgbr", "ungbr", orgbr),
      CUFRT_BOTH("sytrd_bufferSize", "hetrd_bufferSize", sytrdSize),
      CUFRT_BOTH("sytrd", "hetrd", sytrd),
      CUFRT_BOTH("orgtr_bufferSize", "ungtr_bufferSize", orgtrSize),
      CUFRT_BOTH("orgtr", "ungtr", orgtr),
      CUFRT_BOTH("ormtr_bufferSize", "unmtr_bufferSize", ormtrSize),
      CUFRT_BOTH("ormtr", "unmtr", ormtr),
  };
  return rows;
}

} // namespace cufrt::libraries::cusolver
