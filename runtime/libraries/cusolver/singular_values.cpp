// Singular values and vectors on the host device.
#include "libraries/cusolver/cusolver.h"

#include <cmath>

namespace cufrt::libraries::cusolver {

template <typename T>
int valuesAndVectors(const Shape &shape, T *a, int lda, Real<T> *s, T *u, int ldu, T *v, int ldv) {
  int m = shape.m, n = shape.n, rank = std::min(m, n), rows = shape.isEconomical ? rank : n;
  if (!shape.wantsVectors)
    return singularValues<T>('n', 'n', m, n, a, lda, s, u, std::max(1, ldu), v, std::max(1, ldv));
  char job = shape.isEconomical ? 's' : 'a';
  std::vector<T> transposed = room<T>(int64_t(rows) * n);
  int info =
      singularValues<T>(job, job, m, n, a, lda, s, u, ldu, transposed.data(), std::max(1, rows));
  opened(v);
  for (int64_t j = 0; j < rows; ++j)
    for (int64_t i = 0; i < n; ++i)
      v[j * ldv + i] = conjugate(transposed[static_cast<size_t>(i * rows + j)]);
  return info;
}

#define FOR(T)                                                                                     \
  template int valuesAndVectors<T>(const Shape &, T *, int, Real<T> *, T *, int, T *, int);
FOR(float)
FOR(double)
FOR(ComplexFloat)
FOR(ComplexDouble)

namespace {

constexpr int largestOfBatch = 32;

Status gesvdSize(void *handle, int m, int n, int *size) {
  return tellSize(handle, m >= n && n >= 0, size, int64_t(m) + n);
}

bool isJob(char job) {
  char lower = static_cast<char>(job | 0x20);
  return lower == 'a' || lower == 's' || lower == 'o' || lower == 'n';
}

// As the library has it, the matrix must not be wider than high.
template <typename T>
Status gesvd(void *handle, char jobu, char jobvt, int m, int n, T *a, int lda, Real<T> *s, T *u,
             int ldu, T *vt, int ldvt, T *, int, Real<T> *, int *info) {
  return run(handle, isJob(jobu) && isJob(jobvt) && m >= n && n >= 0 && fits(lda, m),
             [=] { tell(info, singularValues(jobu, jobvt, m, n, a, lda, s, u, ldu, vt, ldvt)); });
}

template <typename T>
Status gesvdjSize(void *handle, int mode, int, int m, int n, const T *, int lda, const Real<T> *,
                  const T *, int, const T *, int, int *size, void *settings) {
  bool right = jacobis().find(settings) && isMode(mode) && m >= 0 && n >= 0 && fits(lda, m);
  return tellSize(handle, right, size, int64_t(m) + n);
}

template <typename T>
Status gesvdj(void *handle, int mode, int economical, int m, int n, T *a, int lda, Real<T> *s, T *u,
              int ldu, T *v, int ldv, T *, int, int *info, void *settings) {
  Jacobi *jacobi = jacobis().find(settings);
  if (jacobi)
    jacobi->sweeps = 1;
  return run(handle, jacobi && isMode(mode) && m >= 0 && n >= 0 && fits(lda, m), [=] {
    tell(info, valuesAndVectors({m, n, mode == 1, economical != 0}, a, lda, s, u, ldu, v, ldv));
  });
}

template <typename T>
Status batchedSize(void *handle, int mode, int m, int n, const T *, int lda, const Real<T> *,
                   const T *, int, const T *, int, int *size, void *settings, int batches) {
  bool right = jacobis().find(settings) && isMode(mode) && m >= 0 && m <= largestOfBatch &&
               n >= 0 && n <= largestOfBatch && fits(lda, m) && batches >= 0;
  return tellSize(handle, right, size, int64_t(m) * n);
}

template <typename T>
Status gesvdjBatched(void *handle, int mode, int m, int n, T *a, int lda, Real<T> *s, T *u, int ldu,
                     T *v, int ldv, T *, int, int *info, void *settings, int batches) {
  bool right = jacobis().find(settings) && isMode(mode) && m >= 0 && m <= largestOfBatch &&
               n >= 0 && n <= largestOfBatch && fits(lda, m) && batches >= 0;
  return run(handle, right, [=] {
    for (int64_t i = 0; i < batches; ++i)
      opened(info)[i] =
          valuesAndVectors({m, n, mode == 1, false}, a + i * lda * n, lda, s + i * std::min(m, n),
                           u + i * ldu * m, ldu, v + i * ldv * n, ldv);
  });
}

// The largest values of matrices that stay, and the norm of what their product leaves of each.
struct Approximation {
  int mode, rank, m, n, lda, ldu, ldv, batches;
  int64_t strideA, strideS, strideU, strideV;

  bool isRight() const {
    bool shape = m >= n && n >= 0 && rank >= 1 && rank <= n && fits(lda, m) && batches >= 0;
    return isMode(mode) && shape && (mode == 0 || (fits(ldu, m) && fits(ldv, n)));
  }
};

template <typename T>
double normOfRest(const Approximation &of, const T *a, const Real<T> *s, const std::vector<T> &u,
                  const std::vector<T> &vt) {
  double sum = 0;
  for (int64_t j = 0; j < of.n; ++j)
    for (int64_t i = 0; i < of.m; ++i) {
      T rest = a[j * of.lda + i];
      for (int64_t k = 0; k < of.rank; ++k)
        rest -= u[static_cast<size_t>(k * of.m + i)] * s[k] * vt[static_cast<size_t>(j * of.n + k)];
      sum += std::norm(rest);
    }
  return std::sqrt(sum);
}

template <typename T>
int approximate(const Approximation &of, const T *a, Real<T> *s, T *u, T *v, double *rest) {
  int64_t m = of.m, n = of.n;
  std::vector<T> copy = room<T>(m * n), left = room<T>(m * n), right = room<T>(n * n);
  std::vector<Real<T>> values = room<Real<T>>(n);
  for (int64_t j = 0; j < n; ++j)
    std::copy_n(opened(a) + j * of.lda, m, copy.begin() + j * m);
  int info = singularValues('s', 's', of.m, of.n, copy.data(), of.m, values.data(), left.data(),
                            of.m, right.data(), of.n);
  std::copy_n(values.begin(), of.rank, opened(s));
  for (int64_t k = 0; of.mode == 1 && k < of.rank; ++k) {
    std::copy_n(left.begin() + k * m, m, opened(u) + k * of.ldu);
    for (int64_t i = 0; i < n; ++i)
      opened(v)[k * of.ldv + i] = conjugate(right[static_cast<size_t>(i * n + k)]);
  }
  if (rest && of.mode == 1)
    *rest = normOfRest(of, a, s, left, right);
  return info;
}

template <typename T>
Status gesvdaSize(void *handle, int mode, int rank, int m, int n, const T *, int lda,
                  int64_t strideA, const Real<T> *, int64_t strideS, const T *, int ldu,
                  int64_t strideU, const T *, int ldv, int64_t strideV, int *size, int batches) {
  Approximation of{mode, rank, m, n, lda, ldu, ldv, batches, strideA, strideS, strideU, strideV};
  return tellSize(handle, of.isRight(), size, int64_t(m) * n);
}

template <typename T>
Status gesvda(void *handle, int mode, int rank, int m, int n, const T *a, int lda, int64_t strideA,
              Real<T> *s, int64_t strideS, T *u, int ldu, int64_t strideU, T *v, int ldv,
              int64_t strideV, T *, int, int *info, double *rests, int batches) {
  Approximation of{mode, rank, m, n, lda, ldu, ldv, batches, strideA, strideS, strideU, strideV};
  return run(handle, of.isRight() && info, [=] {
    for (int64_t i = 0; i < batches; ++i)
      opened(info)[i] = approximate(of, a + i * strideA, s + i * strideS, u ? u + i * strideU : u,
                                    v ? v + i * strideV : v, rests ? rests + i : nullptr);
  });
}

} // namespace

std::span<const HostFunction> singularValueRoutines() {
  static const HostFunction rows[] = {
      CUFRT_ROW("cusolverDnSgesvd_bufferSize", gesvdSize),
      CUFRT_ROW("cusolverDnDgesvd_bufferSize", gesvdSize),
      CUFRT_ROW("cusolverDnCgesvd_bufferSize", gesvdSize),
      CUFRT_ROW("cusolverDnZgesvd_bufferSize", gesvdSize),
      CUFRT_ALL("gesvd", gesvd),
      CUFRT_ALL("gesvdj_bufferSize", gesvdjSize),
      CUFRT_ALL("gesvdj", gesvdj),
      CUFRT_ALL("gesvdjBatched_bufferSize", batchedSize),
      CUFRT_ALL("gesvdjBatched", gesvdjBatched),
      CUFRT_ALL("gesvdaStridedBatched_bufferSize", gesvdaSize),
      CUFRT_ALL("gesvdaStridedBatched", gesvda),
  };
  return rows;
}

} // namespace cufrt::libraries::cusolver
