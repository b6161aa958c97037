// Matrix by vector (BLAS level 2) on the host device.
#include "libraries/cublas/cublas.h"

namespace cufrt::libraries::cublas {
namespace {

template <typename T>
Status gemv(void *handle, Operation operation, int m, int n, In<T> alpha, const T *a, int lda,
            const T *x, int incx, In<T> beta, T *y, int incy) {
  bool right = isValid(operation) && m >= 0 && n >= 0 && fits(lda, m) && incx && incy;
  return run(handle, right, [=, alpha = scalar(alpha), beta = scalar(beta)] {
    call<T>("gemv", letter(operation), m, n, alpha.get(), opened(a), lda, opened(x), incx,
            beta.get(), opened(y), incy);
  });
}

template <typename T>
Status gbmv(void *handle, Operation operation, int m, int n, int kl, int ku, In<T> alpha,
            const T *a, int lda, const T *x, int incx, In<T> beta, T *y, int incy) {
  bool right = isValid(operation) && m >= 0 && n >= 0 && kl >= 0 && ku >= 0 &&
               fits(lda, kl + ku + 1) && incx && incy;
  return run(handle, right, [=, alpha = scalar(alpha), beta = scalar(beta)] {
    call<T>("gbmv", letter(operation), m, n, kl, ku, alpha.get(), opened(a), lda, opened(x), incx,
            beta.get(), opened(y), incy);
  });
}

bool isTriangle(Fill fill, Operation operation, Diagonal diagonal, int n, int incx) {
  return isValid(fill) && isValid(operation) && isValid(diagonal) && n >= 0 && incx;
}

// The routines differ in their names and in how the triangle is stored.
#define FULL(stem)                                                                                 \
  template <typename T>                                                                            \
  Status stem(void *handle, Fill fill, Operation operation, Diagonal diagonal, int n, const T *a,  \
              int lda, T *x, int incx) {                                                           \
    return run(handle, isTriangle(fill, operation, diagonal, n, incx) && fits(lda, n), [=] {       \
      call<T>(#stem, letter(fill), letter(operation), letter(diagonal), n, opened(a), lda,         \
              opened(x), incx);                                                                    \
    });                                                                                            \
  }
#define BANDED(stem)                                                                               \
  template <typename T>                                                                            \
  Status stem(void *handle, Fill fill, Operation operation, Diagonal diagonal, int n, int k,       \
              const T *a, int lda, T *x, int incx) {                                               \
    return run(handle,                                                                             \
               isTriangle(fill, operation, diagonal, n, incx) && k >= 0 && fits(lda, k + 1), [=] { \
                 call<T>(#stem, letter(fill), letter(operation), letter(diagonal), n, k,           \
                         opened(a), lda, opened(x), incx);                                         \
               });                                                                                 \
  }
#define PACKED(stem)                                                                               \
  template <typename T>                                                                            \
  Status stem(void *handle, Fill fill, Operation operation, Diagonal diagonal, int n, const T *a,  \
              T *x, int incx) {                                                                    \
    return run(handle, isTriangle(fill, operation, diagonal, n, incx), [=] {                       \
      call<T>(#stem, letter(fill), letter(operation), letter(diagonal), n, opened(a), opened(x),   \
              incx);                                                                               \
    });                                                                                            \
  }
FULL(trmv)
FULL(trsv)
BANDED(tbmv)
BANDED(tbsv)
PACKED(tpmv)
PACKED(tpsv)

// LAPACK has the symmetric ones of complex numbers that BLAS lacks: csymv, cspmv, csyr, cspr.
#define SYMMETRIC(stem)                                                                            \
  template <typename T>                                                                            \
  Status stem(void *handle, Fill fill, int n, In<T> alpha, const T *a, int lda, const T *x,        \
              int incx, In<T> beta, T *y, int incy) {                                              \
    bool right = isValid(fill) && n >= 0 && fits(lda, n) && incx && incy;                          \
    return run(handle, right, [=, alpha = scalar(alpha), beta = scalar(beta)] {                    \
      call<T>(#stem, letter(fill), n, alpha.get(), opened(a), lda, opened(x), incx, beta.get(),    \
              opened(y), incy);                                                                    \
    });                                                                                            \
  }
#define SYMMETRIC_BAND(stem)                                                                       \
  template <typename T>                                                                            \
  Status stem(void *handle, Fill fill, int n, int k, In<T> alpha, const T *a, int lda, const T *x, \
              int incx, In<T> beta, T *y, int incy) {                                              \
    bool right = isValid(fill) && n >= 0 && k >= 0 && fits(lda, k + 1) && incx && incy;            \
    return run(handle, right, [=, alpha = scalar(alpha), beta = scalar(beta)] {                    \
      call<T>(#stem, letter(fill), n, k, alpha.get(), opened(a), lda, opened(x), incx, beta.get(), \
              opened(y), incy);                                                                    \
    });                                                                                            \
  }
#define SYMMETRIC_PACKED(stem)                                                                     \
  template <typename T>                                                                            \
  Status stem(void *handle, Fill fill, int n, In<T> alpha, const T *a, const T *x, int incx,       \
              In<T> beta, T *y, int incy) {                                                        \
    bool right = isValid(fill) && n >= 0 && incx && incy;                                          \
    return run(handle, right, [=, alpha = scalar(alpha), beta = scalar(beta)] {                    \
      call<T>(#stem, letter(fill), n, alpha.get(), opened(a), opened(x), incx, beta.get(),         \
              opened(y), incy);                                                                    \
    });                                                                                            \
  }
SYMMETRIC(symv)
SYMMETRIC(hemv)
SYMMETRIC_BAND(sbmv)
SYMMETRIC_BAND(hbmv)
SYMMETRIC_PACKED(spmv)
SYMMETRIC_PACKED(hpmv)

#define RANK_ONE(name, stem)                                                                       \
  template <typename T>                                                                            \
  Status name(void *handle, int m, int n, In<T> alpha, const T *x, int incx, const T *y, int incy, \
              T *a, int lda) {                                                                     \
    return run(                                                                                    \
        handle, m >= 0 && n >= 0 && incx && incy && fits(lda, m), [=, alpha = scalar(alpha)] {     \
          call<T>(stem, m, n, alpha.get(), opened(x), incx, opened(y), incy, opened(a), lda);      \
        });                                                                                        \
  }
RANK_ONE(ger, "ger")
RANK_ONE(geru, "geru")
RANK_ONE(gerc, "gerc")

#define UPDATE(stem, Factor)                                                                       \
  template <typename T>                                                                            \
  Status stem(void *handle, Fill fill, int n, In<Factor> alpha, const T *x, int incx, T *a,        \
              int lda) {                                                                           \
    return run(handle, isValid(fill) && n >= 0 && incx && fits(lda, n),                            \
               [=, alpha = scalar(alpha)] {                                                        \
                 call<T>(#stem, letter(fill), n, alpha.get(), opened(x), incx, opened(a), lda);    \
               });                                                                                 \
  }
#define UPDATE_PACKED(stem, Factor)                                                                \
  template <typename T>                                                                            \
  Status stem(void *handle, Fill fill, int n, In<Factor> alpha, const T *x, int incx, T *a) {      \
    return run(handle, isValid(fill) && n >= 0 && incx, [=, alpha = scalar(alpha)] {               \
      call<T>(#stem, letter(fill), n, alpha.get(), opened(x), incx, opened(a));                    \
    });                                                                                            \
  }
UPDATE(syr, T)
UPDATE(her, Real<T>)
UPDATE_PACKED(spr, T)
UPDATE_PACKED(hpr, Real<T>)

#define UPDATE_TWO(stem)                                                                           \
  template <typename T>                                                                            \
  Status stem(void *handle, Fill fill, int n, In<T> alpha, const T *x, int incx, const T *y,       \
              int incy, T *a, int lda) {                                                           \
    bool right = isValid(fill) && n >= 0 && incx && incy && fits(lda, n);                          \
    return run(handle, right, [=, alpha = scalar(alpha)] {                                         \
      call<T>(#stem, letter(fill), n, alpha.get(), opened(x), incx, opened(y), incy, opened(a),    \
              lda);                                                                                \
    });                                                                                            \
  }
#define UPDATE_TWO_PACKED(stem)                                                                    \
  template <typename T>                                                                            \
  Status stem(void *handle, Fill fill, int n, In<T> alpha, const T *x, int incx, const T *y,       \
              int incy, T *a) {                                                                    \
    return run(handle, isValid(fill) && n >= 0 && incx && incy, [=, alpha = scalar(alpha)] {       \
      call<T>(#stem, letter(fill), n, alpha.get(), opened(x), incx, opened(y), incy, opened(a));   \
    });                                                                                            \
  }
UPDATE_TWO(her2)
UPDATE_TWO_PACKED(spr2)
UPDATE_TWO_PACKED(hpr2)

// Of complex numbers neither BLAS nor LAPACK has it: a loop over the triangle.
template <typename T>
Status syr2(void *handle, Fill fill, int n, In<T> alpha, const T *x, int incx, const T *y, int incy,
            T *a, int lda) {
  bool right = isValid(fill) && n >= 0 && incx && incy && fits(lda, n);
  return run(handle, right, [=, alpha = scalar(alpha)] {
    T factor = alpha.get();
    const T *u = opened(x) - (incx < 0 ? int64_t(n - 1) * incx : 0);
    const T *v = opened(y) - (incy < 0 ? int64_t(n - 1) * incy : 0);
    opened(a);
    for (int64_t j = 0; j < n; ++j)
      for (int64_t i = fill == Fill::upper ? 0 : j; i < (fill == Fill::upper ? j + 1 : n); ++i)
        a[j * lda + i] += factor * (u[i * incx] * v[j * incy] + v[i * incy] * u[j * incx]);
  });
}

} // namespace

std::span<const HostFunction> level2() {
  static const HostFunction rows[] = {
      CUFRT_ALL("cublas", "gemv_v2", gemv),     CUFRT_ALL("cublas", "gbmv_v2", gbmv),
      CUFRT_ALL("cublas", "trmv_v2", trmv),     CUFRT_ALL("cublas", "trsv_v2", trsv),
      CUFRT_ALL("cublas", "tbmv_v2", tbmv),     CUFRT_ALL("cublas", "tbsv_v2", tbsv),
      CUFRT_ALL("cublas", "tpmv_v2", tpmv),     CUFRT_ALL("cublas", "tpsv_v2", tpsv),
      CUFRT_ALL("cublas", "symv_v2", symv),     CUFRT_COMPLEX("cublas", "hemv_v2", hemv),
      CUFRT_REAL("cublas", "sbmv_v2", sbmv),    CUFRT_COMPLEX("cublas", "hbmv_v2", hbmv),
      CUFRT_REAL("cublas", "spmv_v2", spmv),    CUFRT_COMPLEX("cublas", "hpmv_v2", hpmv),
      CUFRT_REAL("cublas", "ger_v2", ger),      CUFRT_COMPLEX("cublas", "geru_v2", geru),
      CUFRT_COMPLEX("cublas", "gerc_v2", gerc), CUFRT_ALL("cublas", "syr_v2", syr),
      CUFRT_COMPLEX("cublas", "her_v2", her),   CUFRT_REAL("cublas", "spr_v2", spr),
      CUFRT_COMPLEX("cublas", "hpr_v2", hpr),   CUFRT_ALL("cublas", "syr2_v2", syr2),
      CUFRT_COMPLEX("cublas", "her2_v2", her2), CUFRT_REAL("cublas", "spr2_v2", spr2),
      CUFRT_COMPLEX("cublas", "hpr2_v2", hpr2),
  };
  return rows;
}

} // namespace cufrt::libraries::cublas
