// Many small problems in one call, on the host device: one after the other. The addresses of the
// matrices are in device memory, as the library has it.
#include "libraries/cublas/cublas.h"

#include <vector>

namespace cufrt::libraries::cublas {
namespace {

bool isGemm(Operation ta, Operation tb, int m, int n, int k, int lda, int ldb, int ldc,
            int batches) {
  return isValid(ta) && isValid(tb) && m >= 0 && n >= 0 && k >= 0 && batches >= 0 &&
         fits(lda, ta == Operation::plain ? m : k) && fits(ldb, tb == Operation::plain ? k : n) &&
         fits(ldc, m);
}

template <typename T>
Status gemmBatched(void *handle, Operation ta, Operation tb, int m, int n, int k, In<T> alpha,
                   const T *const *a, int lda, const T *const *b, int ldb, In<T> beta, T *const *c,
                   int ldc, int batches) {
  return run(handle, isGemm(ta, tb, m, n, k, lda, ldb, ldc, batches),
             [=, alpha = scalar(alpha), beta = scalar(beta)] {
               for (int i = 0; i < batches; ++i)
                 call<T>("gemm", letter(ta), letter(tb), m, n, k, alpha.get(), opened(a[i]), lda,
                         opened(b[i]), ldb, beta.get(), opened(c[i]), ldc);
             });
}

template <typename T>
Status gemmStrided(void *handle, Operation ta, Operation tb, int m, int n, int k, In<T> alpha,
                   const T *a, int lda, long long strideA, const T *b, int ldb, long long strideB,
                   In<T> beta, T *c, int ldc, long long strideC, int batches) {
  return run(handle, isGemm(ta, tb, m, n, k, lda, ldb, ldc, batches),
             [=, alpha = scalar(alpha), beta = scalar(beta)] {
               for (int i = 0; i < batches; ++i)
                 call<T>("gemm", letter(ta), letter(tb), m, n, k, alpha.get(),
                         opened(a) + i * strideA, lda, opened(b) + i * strideB, ldb, beta.get(),
                         opened(c) + i * strideC, ldc);
             });
}

template <typename T>
Status gemvBatched(void *handle, Operation operation, int m, int n, In<T> alpha, const T *const *a,
                   int lda, const T *const *x, int incx, In<T> beta, T *const *y, int incy,
                   int batches) {
  bool right =
      isValid(operation) && m >= 0 && n >= 0 && fits(lda, m) && incx && incy && batches >= 0;
  return run(handle, right, [=, alpha = scalar(alpha), beta = scalar(beta)] {
    for (int i = 0; i < batches; ++i)
      call<T>("gemv", letter(operation), m, n, alpha.get(), opened(a[i]), lda, opened(x[i]), incx,
              beta.get(), opened(y[i]), incy);
  });
}

template <typename T>
Status gemvStrided(void *handle, Operation operation, int m, int n, In<T> alpha, const T *a,
                   int lda, long long strideA, const T *x, int incx, long long strideX, In<T> beta,
                   T *y, int incy, long long strideY, int batches) {
  bool right =
      isValid(operation) && m >= 0 && n >= 0 && fits(lda, m) && incx && incy && batches >= 0;
  return run(handle, right, [=, alpha = scalar(alpha), beta = scalar(beta)] {
    for (int i = 0; i < batches; ++i)
      call<T>("gemv", letter(operation), m, n, alpha.get(), opened(a) + i * strideA, lda,
              opened(x) + i * strideX, incx, beta.get(), opened(y) + i * strideY, incy);
  });
}

template <typename T>
Status trsmBatched(void *handle, Side side, Fill fill, Operation operation, Diagonal diagonal,
                   int m, int n, In<T> alpha, const T *const *a, int lda, T *const *b, int ldb,
                   int batches) {
  bool right = isValid(side) && isValid(fill) && isValid(operation) && isValid(diagonal) &&
               m >= 0 && n >= 0 && fits(lda, side == Side::left ? m : n) && fits(ldb, m) &&
               batches >= 0;
  return run(handle, right, [=, alpha = scalar(alpha)] {
    for (int i = 0; i < batches; ++i)
      call<T>("trsm", letter(side), letter(fill), letter(operation), letter(diagonal), m, n,
              alpha.get(), opened(a[i]), lda, opened(b[i]), ldb);
  });
}

// Without pivots the factors are those of Gauss's elimination as it stands.
template <typename T>
int factorWithoutPivots(int n, T *a, int lda) {
  int info = 0;
  for (int64_t k = 0; k < n; ++k) {
    if (a[k * lda + k] == T(0) && !info)
      info = static_cast<int>(k) + 1;
    for (int64_t i = k + 1; i < n; ++i)
      a[k * lda + i] /= a[k * lda + k];
    for (int64_t j = k + 1; j < n; ++j)
      for (int64_t i = k + 1; i < n; ++i)
        a[j * lda + i] -= a[k * lda + i] * a[j * lda + k];
  }
  return info;
}

template <typename T>
Status getrfBatched(void *handle, int n, T *const *a, int lda, int *pivots, int *info,
                    int batches) {
  return run(handle, n >= 0 && fits(lda, n) && batches >= 0 && info, [=] {
    opened(info);
    opened(pivots);
    for (int i = 0; i < batches; ++i) {
      if (pivots)
        call<T>("getrf", n, n, opened(a[i]), lda, pivots + int64_t(i) * n, info + i);
      else
        info[i] = factorWithoutPivots(n, opened(a[i]), lda);
    }
  });
}

std::vector<int> identityPivots(int n) {
  std::vector<int> pivots(static_cast<size_t>(n));
  for (int i = 0; i < n; ++i)
    pivots[static_cast<size_t>(i)] = i + 1;
  return pivots;
}

// The right sides' info is one, in host memory.
template <typename T>
Status getrsBatched(void *handle, Operation operation, int n, int rightSides, const T *const *a,
                    int lda, const int *pivots, T *const *b, int ldb, int *info, int batches) {
  bool right = isValid(operation) && n >= 0 && rightSides >= 0 && fits(lda, n) && fits(ldb, n) &&
               batches >= 0;
  if (info)
    *info = 0;
  return run(handle, right, [=] {
    std::vector<int> identity = identityPivots(n);
    for (int i = 0; i < batches; ++i) {
      int result = 0;
      call<T>("getrs", letter(operation), n, rightSides, opened(a[i]), lda,
              pivots ? opened(pivots) + int64_t(i) * n : identity.data(), opened(b[i]), ldb,
              &result);
    }
  });
}

template <typename T>
void solveForInverse(int n, const T *factors, int lda, const int *pivots, T *inverse,
                     int ldInverse) {
  for (int64_t j = 0; j < n; ++j)
    for (int64_t i = 0; i < n; ++i)
      inverse[j * ldInverse + i] = i == j ? T(1) : T(0);
  int result = 0;
  call<T>("getrs", 'n', n, n, factors, lda, pivots, inverse, ldInverse, &result);
}

template <typename T>
int firstZeroOnDiagonal(int n, const T *a, int lda) {
  for (int64_t i = 0; i < n; ++i)
    if (a[i * lda + i] == T(0))
      return static_cast<int>(i) + 1;
  return 0;
}

template <typename T>
Status getriBatched(void *handle, int n, const T *const *a, int lda, const int *pivots, T *const *c,
                    int ldc, int *info, int batches) {
  return run(handle, n >= 0 && fits(lda, n) && fits(ldc, n) && batches >= 0 && info, [=] {
    std::vector<int> identity = identityPivots(n);
    for (int i = 0; i < batches; ++i) {
      opened(info)[i] = firstZeroOnDiagonal(n, opened(a[i]), lda);
      if (!info[i])
        solveForInverse(n, a[i], lda, pivots ? opened(pivots) + int64_t(i) * n : identity.data(),
                        opened(c[i]), ldc);
    }
  });
}

constexpr int largestInverse = 32; // of matinvBatched

template <typename T>
Status matinvBatched(void *handle, int n, const T *const *a, int lda, T *const *inverse,
                     int ldInverse, int *info, int batches) {
  bool right =
      n >= 0 && n <= largestInverse && fits(lda, n) && fits(ldInverse, n) && batches >= 0 && info;
  return run(handle, right, [=] {
    for (int i = 0; i < batches; ++i) {
      std::vector<T> factors(static_cast<size_t>(n) * static_cast<size_t>(n));
      const T *from = opened(a[i]);
      for (int64_t j = 0; j < n; ++j)
        std::copy(from + j * lda, from + j * lda + n, factors.begin() + j * n);
      std::vector<int> pivots(static_cast<size_t>(n));
      call<T>("getrf", n, n, factors.data(), n, pivots.data(), opened(info) + i);
      if (!info[i])
        solveForInverse(n, factors.data(), n, pivots.data(), opened(inverse[i]), ldInverse);
    }
  });
}

// LAPACK's routines with workspace are asked first how much is best.
template <typename T, typename... Arguments>
int withWorkspace(const char *stem, const Arguments &...arguments) {
  T best = 0;
  int info = 0;
  call<T>(stem, arguments..., &best, -1, &info);
  int size = std::max(1, static_cast<int>(std::real(best)));
  std::vector<T> work(static_cast<size_t>(size));
  call<T>(stem, arguments..., work.data(), size, &info);
  return info;
}

template <typename T>
Status geqrfBatched(void *handle, int m, int n, T *const *a, int lda, T *const *tau, int *info,
                    int batches) {
  bool right = m >= 0 && n >= 0 && fits(lda, m) && batches >= 0;
  if (info)
    *info = right ? 0 : -1;
  return run(handle, right, [=] {
    for (int i = 0; i < batches; ++i)
      withWorkspace<T>("geqrf", m, n, opened(a[i]), lda, opened(tau[i]));
  });
}

template <typename T>
Status gelsBatched(void *handle, Operation operation, int m, int n, int rightSides, T *const *a,
                   int lda, T *const *c, int ldc, int *info, int *deviceInfo, int batches) {
  bool right = operation == Operation::plain && m >= n && n >= 0 && rightSides >= 0 &&
               fits(lda, m) && fits(ldc, m) && batches >= 0;
  if (info)
    *info = right ? 0 : -1;
  return run(handle, right, [=] {
    for (int i = 0; i < batches; ++i) {
      int result = withWorkspace<T>("gels", letter(operation), m, n, rightSides, opened(a[i]), lda,
                                    opened(c[i]), ldc);
      if (deviceInfo)
        opened(deviceInfo)[i] = result;
    }
  });
}

} // namespace

std::span<const HostFunction> batched() {
  static const HostFunction rows[] = {
      CUFRT_ALL("cublas", "gemmBatched", gemmBatched),
      CUFRT_ALL("cublas", "gemmStridedBatched", gemmStrided),
      CUFRT_COMPLEX("cublas", "gemm3mBatched", gemmBatched),
      CUFRT_COMPLEX("cublas", "gemm3mStridedBatched", gemmStrided),
      CUFRT_ALL("cublas", "gemvBatched", gemvBatched),
      CUFRT_ALL("cublas", "gemvStridedBatched", gemvStrided),
      CUFRT_ALL("cublas", "trsmBatched", trsmBatched),
      CUFRT_ALL("cublas", "getrfBatched", getrfBatched),
      CUFRT_ALL("cublas", "getrsBatched", getrsBatched),
      CUFRT_ALL("cublas", "getriBatched", getriBatched),
      CUFRT_ALL("cublas", "matinvBatched", matinvBatched),
      CUFRT_ALL("cublas", "geqrfBatched", geqrfBatched),
      CUFRT_ALL("cublas", "gelsBatched", gelsBatched),
  };
  return rows;
}

} // namespace cufrt::libraries::cublas
