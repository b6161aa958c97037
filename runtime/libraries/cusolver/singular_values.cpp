// Singular values and vectors on the host device.
#include "libraries/cusolver/cusolver.h"

namespace cufrt::libraries::cusolver {
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

struct Shape {
  int m, n;
  bool wantsVectors, isEconomical;
};

// Vectors on the right are not transposed.
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
  };
  return rows;
}

} // namespace cufrt::libraries::cusolver
