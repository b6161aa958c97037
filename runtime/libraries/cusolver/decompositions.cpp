// LAPACK's eigenvalues and singular values with one interface for real and complex numbers.
#include "libraries/cusolver/cusolver.h"

namespace cufrt::libraries::cusolver {
namespace {

// Calls a routine of divide and conquer: asked first for its three workspaces.
template <typename T, typename... Arguments>
int divideAndConquer(const char *real, const char *complex, const Arguments &...arguments) {
  int info = 0;
  auto attempt = [&](T *work, int lwork, Real<T> *rwork, int lrwork, int *iwork, int liwork) {
    if constexpr (isComplex<T>)
      call<T>(complex, arguments..., work, lwork, rwork, lrwork, iwork, liwork, &info);
    else
      call<T>(real, arguments..., work, lwork, iwork, liwork, &info);
  };
  T work = 0;
  Real<T> rwork = 0;
  int iwork = 0;
  attempt(&work, -1, &rwork, -1, &iwork, -1);
  std::vector<T> works = room<T>(static_cast<int64_t>(std::real(work)));
  std::vector<Real<T>> rworks = room<Real<T>>(static_cast<int64_t>(rwork));
  std::vector<int> iworks = room<int>(iwork);
  attempt(works.data(), static_cast<int>(works.size()), rworks.data(),
          static_cast<int>(rworks.size()), iworks.data(), static_cast<int>(iworks.size()));
  return info;
}

} // namespace

template <typename T>
int eigenvalues(char job, char fill, int n, T *a, int lda, Real<T> *w) {
  return divideAndConquer<T>("syevd", "heevd", job, fill, n, opened(a), lda, opened(w));
}

template <typename T>
int generalisedEigenvalues(int type, char job, char fill, int n, T *a, int lda, T *b, int ldb,
                           Real<T> *w) {
  return divideAndConquer<T>("sygvd", "hegvd", type, job, fill, n, opened(a), lda, opened(b), ldb,
                             opened(w));
}

template <typename T>
int someEigenvalues(char job, char fill, int n, T *a, int lda, const Selection<T> &selection,
                    int *found, Real<T> *w) {
  Real<T> exact = 0;
  int info = 0, count = 0;
  std::vector<T> vectors = room<T>(job == 'v' ? int64_t(n) * n : 1);
  std::vector<int> iwork = room<int>(5 * int64_t(n)), failed = room<int>(n);
  std::vector<Real<T>> rwork = room<Real<T>>(7 * int64_t(n)), values = room<Real<T>>(n);
  std::vector<T> work = room<T>(1);
  // Twice: first for the size of the workspace.
  for (int size = -1; size != 0; size = size < 0 ? static_cast<int>(work.size()) : 0) {
    auto with = [&](const auto &...rest) {
      call<T>(isComplex<T> ? "heevx" : "syevx", job, selection.range, fill, n, opened(a), lda,
              selection.lower, selection.upper, selection.first, selection.last, exact, &count,
              values.data(), vectors.data(), n, work.data(), size, rest..., iwork.data(),
              failed.data(), &info);
    };
    if constexpr (isComplex<T>)
      with(rwork.data());
    else
      with();
    if (size < 0)
      work = room<T>(static_cast<int64_t>(std::real(work[0])));
  }
  std::copy(values.begin(), values.begin() + count, opened(w));
  for (int64_t j = 0; job == 'v' && j < count; ++j)
    std::copy(vectors.begin() + j * n, vectors.begin() + (j + 1) * n, a + j * lda);
  if (found)
    *found = count;
  return info;
}

template <typename T>
int singularValues(char jobu, char jobvt, int m, int n, T *a, int lda, Real<T> *s, T *u, int ldu,
                   T *vt, int ldvt) {
  T best = 0;
  int info = 0;
  std::vector<Real<T>> rwork = room<Real<T>>(5 * int64_t(std::min(m, n)));
  auto attempt = [&](T *work, int size) {
    if constexpr (isComplex<T>)
      call<T>("gesvd", jobu, jobvt, m, n, opened(a), lda, opened(s), opened(u), ldu, opened(vt),
              ldvt, work, size, rwork.data(), &info);
    else
      call<T>("gesvd", jobu, jobvt, m, n, opened(a), lda, opened(s), opened(u), ldu, opened(vt),
              ldvt, work, size, &info);
  };
  attempt(&best, -1);
  std::vector<T> work = room<T>(static_cast<int64_t>(std::real(best)));
  attempt(work.data(), static_cast<int>(work.size()));
  return info;
}

#define FOR(T)                                                                                     \
  template int eigenvalues<T>(char, char, int, T *, int, Real<T> *);                               \
  template int generalisedEigenvalues<T>(int, char, char, int, T *, int, T *, int, Real<T> *);     \
  template int someEigenvalues<T>(char, char, int, T *, int, const Selection<T> &, int *,          \
                                  Real<T> *);                                                      \
  template int singularValues<T>(char, char, int, int, T *, int, Real<T> *, T *, int, T *, int);
FOR(float)
FOR(double)
FOR(ComplexFloat)
FOR(ComplexDouble)

} // namespace cufrt::libraries::cusolver
