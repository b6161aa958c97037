// Matrix by matrix (BLAS level 3) on the host device. Arguments are checked before, since a BLAS
// would print a message and end or go on.
#include "libraries/cublas/cublas.h"

namespace cufrt::libraries::cublas {
namespace {

int rowsOf(Operation operation, int plain, int transposed) {
  return operation == Operation::plain ? plain : transposed;
}

template <typename T>
Status gemm(void *handle, Operation ta, Operation tb, int m, int n, int k, In<T> alpha, const T *a,
            int lda, const T *b, int ldb, In<T> beta, T *c, int ldc) {
  bool right = isValid(ta) && isValid(tb) && m >= 0 && n >= 0 && k >= 0 &&
               fits(lda, rowsOf(ta, m, k)) && fits(ldb, rowsOf(tb, k, n)) && fits(ldc, m);
  return run(handle, right, [=, alpha = scalar(alpha), beta = scalar(beta)] {
    call<T>("gemm", letter(ta), letter(tb), m, n, k, alpha.get(), opened(a), lda, opened(b), ldb,
            beta.get(), opened(c), ldc);
  });
}

// SYMM and HEMM: with the symmetric matrix on one side.
template <typename T, bool hermitian>
Status symm(void *handle, Side side, Fill fill, int m, int n, In<T> alpha, const T *a, int lda,
            const T *b, int ldb, In<T> beta, T *c, int ldc) {
  bool right = isValid(side) && isValid(fill) && m >= 0 && n >= 0 &&
               fits(lda, side == Side::left ? m : n) && fits(ldb, m) && fits(ldc, m);
  return run(handle, right, [=, alpha = scalar(alpha), beta = scalar(beta)] {
    call<T>(hermitian ? "hemm" : "symm", letter(side), letter(fill), m, n, alpha.get(), opened(a),
            lda, opened(b), ldb, beta.get(), opened(c), ldc);
  });
}
template <typename T>
constexpr auto symmetric = symm<T, false>;
template <typename T>
constexpr auto hermitian = symm<T, true>;

// BLAS knows no transpose of Hermitian updates and no conjugate of symmetric ones.
template <typename T>
char updateLetter(Operation operation, bool hermitian) {
  if (operation == Operation::plain)
    return 'n';
  return hermitian ? 'c' : 't';
}

bool isUpdate(Fill fill, Operation operation, int n, int k, int lda, int ldc) {
  return isValid(fill) && isValid(operation) && n >= 0 && k >= 0 &&
         fits(lda, rowsOf(operation, n, k)) && fits(ldc, n);
}

template <typename T>
Status syrk(void *handle, Fill fill, Operation operation, int n, int k, In<T> alpha, const T *a,
            int lda, In<T> beta, T *c, int ldc) {
  return run(handle, isUpdate(fill, operation, n, k, lda, ldc),
             [=, alpha = scalar(alpha), beta = scalar(beta)] {
               call<T>("syrk", letter(fill), updateLetter<T>(operation, false), n, k, alpha.get(),
                       opened(a), lda, beta.get(), opened(c), ldc);
             });
}

template <typename T>
Status herk(void *handle, Fill fill, Operation operation, int n, int k, In<Real<T>> alpha,
            const T *a, int lda, In<Real<T>> beta, T *c, int ldc) {
  return run(handle, isUpdate(fill, operation, n, k, lda, ldc),
             [=, alpha = scalar(alpha), beta = scalar(beta)] {
               call<T>("herk", letter(fill), updateLetter<T>(operation, true), n, k, alpha.get(),
                       opened(a), lda, beta.get(), opened(c), ldc);
             });
}

// cublasCsyrkEx and cublasCherkEx, whose matrices are of given types.
template <auto update, typename Factor>
Status updateOfTypes(void *handle, Fill fill, Operation operation, int n, int k, In<Factor> alpha,
                     const void *a, int aType, int lda, In<Factor> beta, void *c, int cType,
                     int ldc) {
  constexpr int known = 4; // CUDA_C_32F
  if (aType != known || cType != known)
    return notSupported;
  return update(handle, fill, operation, n, k, alpha, static_cast<const ComplexFloat *>(a), lda,
                beta, static_cast<ComplexFloat *>(c), ldc);
}

template <typename T>
Status syr2k(void *handle, Fill fill, Operation operation, int n, int k, In<T> alpha, const T *a,
             int lda, const T *b, int ldb, In<T> beta, T *c, int ldc) {
  bool right = isUpdate(fill, operation, n, k, lda, ldc) && fits(ldb, rowsOf(operation, n, k));
  return run(handle, right, [=, alpha = scalar(alpha), beta = scalar(beta)] {
    call<T>("syr2k", letter(fill), updateLetter<T>(operation, false), n, k, alpha.get(), opened(a),
            lda, opened(b), ldb, beta.get(), opened(c), ldc);
  });
}

template <typename T>
Status her2k(void *handle, Fill fill, Operation operation, int n, int k, In<T> alpha, const T *a,
             int lda, const T *b, int ldb, In<Real<T>> beta, T *c, int ldc) {
  bool right = isUpdate(fill, operation, n, k, lda, ldc) && fits(ldb, rowsOf(operation, n, k));
  return run(handle, right, [=, alpha = scalar(alpha), beta = scalar(beta)] {
    call<T>("her2k", letter(fill), updateLetter<T>(operation, true), n, k, alpha.get(), opened(a),
            lda, opened(b), ldb, beta.get(), opened(c), ldc);
  });
}

// One triangle of alpha op(A) op(B)^T + beta C, of which the program says that it is symmetric.
template <typename T, typename Beta>
void updateTriangle(Fill fill, Operation operation, bool conjugated, int n, int k, T alpha,
                    const T *a, int lda, const T *b, int ldb, Beta beta, T *c, int ldc) {
  char second = conjugated ? 'c' : 't';
  for (int column = 0; column < n; ++column) {
    int first = fill == Fill::upper ? 0 : column,
        rows = fill == Fill::upper ? column + 1 : n - column;
    bool plain = operation == Operation::plain;
    const T *left = plain ? a + first : a + static_cast<int64_t>(first) * lda;
    const T *right = plain ? b + column : b + static_cast<int64_t>(column) * ldb;
    T *into = c + first + static_cast<int64_t>(column) * ldc;
    call<T>("gemm", plain ? 'n' : second, plain ? second : 'n', rows, 1, k, alpha, left, lda, right,
            ldb, T(beta), into, ldc);
  }
}

template <typename T>
Status syrkx(void *handle, Fill fill, Operation operation, int n, int k, In<T> alpha, const T *a,
             int lda, const T *b, int ldb, In<T> beta, T *c, int ldc) {
  bool right = isUpdate(fill, operation, n, k, lda, ldc) && fits(ldb, rowsOf(operation, n, k));
  return run(handle, right, [=, alpha = scalar(alpha), beta = scalar(beta)] {
    updateTriangle(fill, operation, false, n, k, alpha.get(), opened(a), lda, opened(b), ldb,
                   beta.get(), opened(c), ldc);
  });
}

template <typename T>
Status herkx(void *handle, Fill fill, Operation operation, int n, int k, In<T> alpha, const T *a,
             int lda, const T *b, int ldb, In<Real<T>> beta, T *c, int ldc) {
  bool right = isUpdate(fill, operation, n, k, lda, ldc) && fits(ldb, rowsOf(operation, n, k));
  return run(handle, right, [=, alpha = scalar(alpha), beta = scalar(beta)] {
    updateTriangle(fill, operation, true, n, k, alpha.get(), opened(a), lda, opened(b), ldb,
                   beta.get(), opened(c), ldc);
  });
}

bool isTriangular(Side side, Fill fill, Operation operation, Diagonal diagonal, int m, int n,
                  int lda, int ldb) {
  return isValid(side) && isValid(fill) && isValid(operation) && isValid(diagonal) && m >= 0 &&
         n >= 0 && fits(lda, side == Side::left ? m : n) && fits(ldb, m);
}

template <typename T>
Status trsm(void *handle, Side side, Fill fill, Operation operation, Diagonal diagonal, int m,
            int n, In<T> alpha, const T *a, int lda, T *b, int ldb) {
  return run(handle, isTriangular(side, fill, operation, diagonal, m, n, lda, ldb),
             [=, alpha = scalar(alpha)] {
               call<T>("trsm", letter(side), letter(fill), letter(operation), letter(diagonal), m,
                       n, alpha.get(), opened(a), lda, opened(b), ldb);
             });
}

// Unlike BLAS it has a matrix of its own for the result, which may be B.
template <typename T>
Status trmm(void *handle, Side side, Fill fill, Operation operation, Diagonal diagonal, int m,
            int n, In<T> alpha, const T *a, int lda, const T *b, int ldb, T *c, int ldc) {
  bool right = isTriangular(side, fill, operation, diagonal, m, n, lda, ldb) && fits(ldc, m);
  return run(handle, right, [=, alpha = scalar(alpha)] {
    opened(b);
    opened(c);
    for (int64_t column = 0; b != c && column < n; ++column)
      for (int row = 0; row < m; ++row)
        c[column * ldc + row] = b[column * ldb + row];
    call<T>("trmm", letter(side), letter(fill), letter(operation), letter(diagonal), m, n,
            alpha.get(), opened(a), lda, c, ldc);
  });
}

} // namespace

std::span<const HostFunction> level3() {
  static const HostFunction rows[] = {
      CUFRT_ROW("cublasCsyrkEx", (updateOfTypes<syrk<ComplexFloat>, ComplexFloat>)),
      CUFRT_ROW("cublasCsyrk3mEx", (updateOfTypes<syrk<ComplexFloat>, ComplexFloat>)),
      CUFRT_ROW("cublasCherkEx", (updateOfTypes<herk<ComplexFloat>, float>)),
      CUFRT_ROW("cublasCherk3mEx", (updateOfTypes<herk<ComplexFloat>, float>)),
      CUFRT_ALL("cublas", "gemm_v2", gemm),
      CUFRT_COMPLEX("cublas", "gemm3m", gemm),
      CUFRT_ALL("cublas", "symm_v2", *symmetric),
      CUFRT_COMPLEX("cublas", "hemm_v2", *hermitian),
      CUFRT_ALL("cublas", "syrk_v2", syrk),
      CUFRT_COMPLEX("cublas", "herk_v2", herk),
      CUFRT_ALL("cublas", "syr2k_v2", syr2k),
      CUFRT_COMPLEX("cublas", "her2k_v2", her2k),
      CUFRT_ALL("cublas", "syrkx", syrkx),
      CUFRT_COMPLEX("cublas", "herkx", herkx),
      CUFRT_ALL("cublas", "trsm_v2", trsm),
      CUFRT_ALL("cublas", "trmm_v2", trmm),
  };
  return rows;
}

} // namespace cufrt::libraries::cublas
