// The routines that are told the types of their arguments, on the host device: GemmEx and its like,
// and vectors. Half precision and integers are converted, summed in single precision or in 32 bits.
#include "libraries/cublas/cublas.h"
#include "libraries/numbers.h"

#include <cmath>
#include <vector>

namespace cufrt::libraries::cublas {
namespace {

bool isComputeType(int type) { return type >= 64 && type <= 79; }

// The type of alpha and beta, by the compute type (table of cublasGemmEx in cuBLAS's
// documentation).
int scaleType(int compute, int cType) {
  switch (compute) {
  case 64:
  case 65:
    return Data::half;
  case 72:
  case 73:
    return Data::integer32;
  case 70:
  case 71:
  case 79:
    return isComplexData(cType) ? Data::complexDouble : Data::real64;
  default:
    return isComplexData(cType) ? Data::complexFloat : Data::real32;
  }
}

bool isSupported(int aType, int bType, int cType, int compute) {
  return isKnownData(aType) && isKnownData(bType) && isKnownData(cType) && isComputeType(compute);
}

struct Matrix {
  const void *at;
  int type;
  int64_t leading;
};

struct Product {
  Operation ta, tb;
  int m, n, k;
};

// Elements are widened to double or its complex, in which products of narrower types are exact;
// the sum of each column then has at least the accuracy that the compute type asks for.
void multiply(const Product &p, ComplexDouble alpha, Matrix a, Matrix b, ComplexDouble beta,
              Matrix c) {
  auto element = [](const Matrix &matrix, Operation operation, int64_t i, int64_t j) {
    bool plain = operation == Operation::plain;
    ComplexDouble value =
        read(matrix.at, matrix.type, plain ? j * matrix.leading + i : i * matrix.leading + j);
    return operation == Operation::conjugated ? std::conj(value) : value;
  };
  std::vector<ComplexDouble> column(static_cast<size_t>(p.m));
  for (int64_t j = 0; j < p.n; ++j) {
    std::fill(column.begin(), column.end(), 0);
    for (int64_t l = 0; l < p.k; ++l) {
      ComplexDouble factor = element(b, p.tb, l, j);
      for (int64_t i = 0; i < p.m; ++i)
        column[static_cast<size_t>(i)] += element(a, p.ta, i, l) * factor;
    }
    for (int64_t i = 0; i < p.m; ++i) {
      ComplexDouble sum = alpha * column[static_cast<size_t>(i)];
      if (beta != ComplexDouble(0))
        sum += beta * read(c.at, c.type, j * c.leading + i);
      write(const_cast<void *>(c.at), c.type, j * c.leading + i, sum);
    }
  }
}

// Types that BLAS has go there.
template <typename T>
void multiplyByBlas(const Product &p, ComplexDouble alpha, Matrix a, Matrix b, ComplexDouble beta,
                    Matrix c) {
  auto narrow = [](ComplexDouble value) {
    if constexpr (isComplex<T>)
      return T(static_cast<Real<T>>(value.real()), static_cast<Real<T>>(value.imag()));
    else
      return static_cast<T>(value.real());
  };
  call<T>("gemm", letter(p.ta), letter(p.tb), p.m, p.n, p.k, narrow(alpha),
          opened(static_cast<const T *>(a.at)), static_cast<int>(a.leading),
          opened(static_cast<const T *>(b.at)), static_cast<int>(b.leading), narrow(beta),
          opened(static_cast<const T *>(c.at)), static_cast<int>(c.leading));
}

void multiplyAny(const Product &p, ComplexDouble alpha, Matrix a, Matrix b, ComplexDouble beta,
                 Matrix c) {
  bool same = a.type == b.type && b.type == c.type;
  if (same && a.type == Data::real32)
    multiplyByBlas<float>(p, alpha, a, b, beta, c);
  else if (same && a.type == Data::real64)
    multiplyByBlas<double>(p, alpha, a, b, beta, c);
  else if (same && a.type == Data::complexFloat)
    multiplyByBlas<ComplexFloat>(p, alpha, a, b, beta, c);
  else if (same && a.type == Data::complexDouble)
    multiplyByBlas<ComplexDouble>(p, alpha, a, b, beta, c);
  else
    multiply(p, alpha, a, b, beta, c);
}

Status gemmEx(void *handle, Operation ta, Operation tb, int m, int n, int k, const void *alpha,
              const void *a, int aType, int lda, const void *b, int bType, int ldb,
              const void *beta, void *c, int cType, int ldc, int compute, int) {
  if (!isSupported(aType, bType, cType, compute))
    return notSupported;
  bool right = isValid(ta) && isValid(tb) && m >= 0 && n >= 0 && k >= 0 &&
               fits(lda, ta == Operation::plain ? m : k) &&
               fits(ldb, tb == Operation::plain ? k : n) && fits(ldc, m);
  int scale = scaleType(compute, cType);
  return run(handle, right, [=, alpha = AnyScalar(alpha, scale), beta = AnyScalar(beta, scale)] {
    multiplyAny({ta, tb, m, n, k}, alpha.get(), {a, aType, lda}, {b, bType, ldb}, beta.get(),
                {c, cType, ldc});
  });
}

Status gemmStridedEx(void *handle, Operation ta, Operation tb, int m, int n, int k,
                     const void *alpha, const void *a, int aType, int lda, long long strideA,
                     const void *b, int bType, int ldb, long long strideB, const void *beta,
                     void *c, int cType, int ldc, long long strideC, int batches, int compute,
                     int) {
  if (!isSupported(aType, bType, cType, compute))
    return notSupported;
  int scale = scaleType(compute, cType);
  bool right =
      isValid(ta) && isValid(tb) && m >= 0 && n >= 0 && k >= 0 && batches >= 0 && fits(ldc, m);
  return run(handle, right, [=, alpha = AnyScalar(alpha, scale), beta = AnyScalar(beta, scale)] {
    for (int i = 0; i < batches; ++i)
      multiplyAny({ta, tb, m, n, k}, alpha.get(), {shifted(a, aType, i * strideA), aType, lda},
                  {shifted(b, bType, i * strideB), bType, ldb}, beta.get(),
                  {shifted(c, cType, i * strideC), cType, ldc});
  });
}

Status gemmBatchedEx(void *handle, Operation ta, Operation tb, int m, int n, int k,
                     const void *alpha, const void *const *a, int aType, int lda,
                     const void *const *b, int bType, int ldb, const void *beta, void *const *c,
                     int cType, int ldc, int batches, int compute, int) {
  if (!isSupported(aType, bType, cType, compute))
    return notSupported;
  int scale = scaleType(compute, cType);
  bool right =
      isValid(ta) && isValid(tb) && m >= 0 && n >= 0 && k >= 0 && batches >= 0 && fits(ldc, m);
  return run(handle, right, [=, alpha = AnyScalar(alpha, scale), beta = AnyScalar(beta, scale)] {
    for (int i = 0; i < batches; ++i)
      multiplyAny({ta, tb, m, n, k}, alpha.get(), {a[i], aType, lda}, {b[i], bType, ldb},
                  beta.get(), {c[i], cType, ldc});
  });
}

// All of half precision, with sums in it as compute type 64 has them.
Status hgemm(void *handle, Operation ta, Operation tb, int m, int n, int k, const void *alpha,
             const void *a, int lda, const void *b, int ldb, const void *beta, void *c, int ldc) {
  return gemmEx(handle, ta, tb, m, n, k, alpha, a, Data::half, lda, b, Data::half, ldb, beta, c,
                Data::half, ldc, 64, -1);
}
Status hgemmBatched(void *handle, Operation ta, Operation tb, int m, int n, int k,
                    const void *alpha, const void *const *a, int lda, const void *const *b, int ldb,
                    const void *beta, void *const *c, int ldc, int batches) {
  return gemmBatchedEx(handle, ta, tb, m, n, k, alpha, a, Data::half, lda, b, Data::half, ldb, beta,
                       c, Data::half, ldc, batches, 64, -1);
}
Status hgemmStrided(void *handle, Operation ta, Operation tb, int m, int n, int k,
                    const void *alpha, const void *a, int lda, long long strideA, const void *b,
                    int ldb, long long strideB, const void *beta, void *c, int ldc,
                    long long strideC, int batches) {
  return gemmStridedEx(handle, ta, tb, m, n, k, alpha, a, Data::half, lda, strideA, b, Data::half,
                       ldb, strideB, beta, c, Data::half, ldc, strideC, batches, 64, -1);
}

// The groups one after the other. The addresses of their matrices lie in device memory, what
// belongs to a group in host memory.
Status gemmGroupedEx(void *handle, const Operation *ta, const Operation *tb, const int *m,
                     const int *n, const int *k, const void *alpha, const void *const *a, int aType,
                     const int *lda, const void *const *b, int bType, const int *ldb,
                     const void *beta, void *const *c, int cType, const int *ldc, int groups,
                     const int *sizes, int compute) {
  if (groups < 0)
    return invalidValue;
  int scale = scaleType(compute, cType);
  Status status = ok;
  int64_t first = 0;
  for (int i = 0; i < groups && status == ok; first += sizes[i++])
    status =
        gemmBatchedEx(handle, ta[i], tb[i], m[i], n[i], k[i], shifted(alpha, scale, i), a + first,
                      aType, lda[i], b + first, bType, ldb[i], shifted(beta, scale, i), c + first,
                      cType, ldc[i], sizes[i], compute, -1);
  return status;
}
template <int type, int compute>
Status gemmGrouped(void *handle, const Operation *ta, const Operation *tb, const int *m,
                   const int *n, const int *k, const void *alpha, const void *const *a,
                   const int *lda, const void *const *b, const int *ldb, const void *beta,
                   void *const *c, const int *ldc, int groups, const int *sizes) {
  return gemmGroupedEx(handle, ta, tb, m, n, k, alpha, a, type, lda, b, type, ldb, beta, c, type,
                       ldc, groups, sizes, compute);
}

// cublasSgemmEx and cublasCgemmEx: alpha and beta are of the letter's type.
template <typename T>
Status gemmOfTypes(void *handle, Operation ta, Operation tb, int m, int n, int k, In<T> alpha,
                   const void *a, int aType, int lda, const void *b, int bType, int ldb, In<T> beta,
                   void *c, int cType, int ldc) {
  return gemmEx(handle, ta, tb, m, n, k, alpha.at, a, aType, lda, b, bType, ldb, beta.at, c, cType,
                ldc, 68, -1);
}

ComplexDouble sumOfProducts(int64_t n, const void *x, int xType, int64_t incx, const void *y,
                            int yType, int64_t incy, bool isConjugated) {
  ComplexDouble sum = 0;
  int64_t startX = incx < 0 ? (1 - n) * incx : 0, startY = incy < 0 ? (1 - n) * incy : 0;
  for (int64_t i = 0; i < n; ++i) {
    ComplexDouble left = read(x, xType, startX + i * incx);
    sum += (isConjugated ? std::conj(left) : left) * read(y, yType, startY + i * incy);
  }
  return sum;
}

template <bool isConjugated>
Status dotEx(void *handle, int n, const void *x, int xType, int incx, const void *y, int yType,
             int incy, void *result, int resultType, int execution) {
  if (!isVector(xType) || yType != xType || resultType != xType || execution != executionOf(xType))
    return notSupported;
  return run(handle, result, [=] {
    write(opened(result), resultType, 0,
          sumOfProducts(n, x, xType, incx, y, yType, incy, isConjugated));
  });
}

Status nrm2Ex(void *handle, int n, const void *x, int xType, int inc, void *result, int resultType,
              int execution) {
  if (!isVector(xType) || resultType != realOf(xType) || execution != executionOf(resultType))
    return notSupported;
  return run(handle, result, [=] {
    double sum =
        inc > 0 ? std::sqrt(sumOfProducts(n, x, xType, inc, x, xType, inc, true).real()) : 0;
    write(opened(result), resultType, 0, sum);
  });
}

Status axpyEx(void *handle, int n, const void *alpha, int alphaType, const void *x, int xType,
              int incx, void *y, int yType, int incy, int execution) {
  if (!isVector(xType) || yType != xType || alphaType != executionOf(xType) ||
      execution != alphaType)
    return notSupported;
  return run(handle, alpha, [=, alpha = AnyScalar(alpha, alphaType)] {
    ComplexDouble factor = alpha.get();
    int64_t startX = incx < 0 ? int64_t(1 - n) * incx : 0,
            startY = incy < 0 ? int64_t(1 - n) * incy : 0;
    for (int64_t i = 0; i < n; ++i)
      write(y, yType, startY + i * incy,
            read(y, yType, startY + i * incy) + factor * read(x, xType, startX + i * incx));
  });
}

Status scalEx(void *handle, int n, const void *alpha, int alphaType, void *x, int xType, int inc,
              int execution) {
  if (!isVector(xType) || alphaType != executionOf(xType) || execution != alphaType)
    return notSupported;
  return run(handle, alpha, [=, alpha = AnyScalar(alpha, alphaType)] {
    for (int64_t i = 0; inc > 0 && i < n; ++i)
      write(x, xType, i * inc, alpha.get() * read(x, xType, i * inc));
  });
}

} // namespace

std::span<const HostFunction> mixed() {
  static const HostFunction rows[] = {
      CUFRT_ROW("cublasGemmEx", gemmEx),
      CUFRT_ROW("cublasGemmStridedBatchedEx", gemmStridedEx),
      CUFRT_ROW("cublasGemmBatchedEx", gemmBatchedEx),
      CUFRT_ROW("cublasHgemm", hgemm),
      CUFRT_ROW("cublasHgemmBatched", hgemmBatched),
      CUFRT_ROW("cublasHgemmStridedBatched", hgemmStrided),
      CUFRT_ROW("cublasSgemmGroupedBatched", (gemmGrouped<Data::real32, 68>)),
      CUFRT_ROW("cublasDgemmGroupedBatched", (gemmGrouped<Data::real64, 70>)),
      CUFRT_ROW("cublasGemmGroupedBatchedEx", gemmGroupedEx),
      CUFRT_ROW("cublasSgemmEx", gemmOfTypes<float>),
      CUFRT_ROW("cublasCgemmEx", gemmOfTypes<ComplexFloat>),
      CUFRT_ROW("cublasCgemm3mEx", gemmOfTypes<ComplexFloat>),
      CUFRT_ROW("cublasDotEx", dotEx<false>),
      CUFRT_ROW("cublasDotcEx", dotEx<true>),
      CUFRT_ROW("cublasNrm2Ex", nrm2Ex),
      CUFRT_ROW("cublasAxpyEx", axpyEx),
      CUFRT_ROW("cublasScalEx", scalEx),
  };
  return rows;
}

} // namespace cufrt::libraries::cublas
