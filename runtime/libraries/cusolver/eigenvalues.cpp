// Eigenvalues of symmetric and Hermitian matrices on the host device. What the library does by
// Jacobi's method is done by divide and conquer, which finds the same values in the same order.
#include "libraries/cusolver/cusolver.h"

namespace cufrt::libraries::cusolver {
namespace {

constexpr int rangeAll = 1001, rangeIndices = 1002, rangeValues = 1003; // cusolverEigRange_t

bool isProblem(int mode, int fill, int n, int lda) {
  return isMode(mode) && isFill(fill) && n >= 0 && fits(lda, n);
}
bool isType(int type) { return type >= 1 && type <= 3; }

template <typename T>
Status evdSize(void *handle, int mode, int fill, int n, const T *, int lda, const Real<T> *,
               int *size) {
  return tellSize(handle, isProblem(mode, fill, n, lda), size, n);
}

template <typename T>
Status evd(void *handle, int mode, int fill, int n, T *a, int lda, Real<T> *w, T *, int,
           int *info) {
  return run(handle, isProblem(mode, fill, n, lda),
             [=] { tell(info, eigenvalues(vectorLetter(mode), fillLetter(fill), n, a, lda, w)); });
}

template <typename T>
Status gvdSize(void *handle, int type, int mode, int fill, int n, const T *, int lda, const T *,
               int ldb, const Real<T> *, int *size) {
  return tellSize(handle, isType(type) && isProblem(mode, fill, n, lda) && fits(ldb, n), size, n);
}

template <typename T>
Status gvd(void *handle, int type, int mode, int fill, int n, T *a, int lda, T *b, int ldb,
           Real<T> *w, T *, int, int *info) {
  return run(handle, isType(type) && isProblem(mode, fill, n, lda) && fits(ldb, n), [=] {
    tell(info,
         generalisedEigenvalues(type, vectorLetter(mode), fillLetter(fill), n, a, lda, b, ldb, w));
  });
}

template <typename T>
bool isSelection(int range, int n, Real<T> lower, Real<T> upper, int first, int last) {
  if (range == rangeIndices)
    return first >= 1 && first <= last && last <= n;
  return range == rangeAll || (range == rangeValues && lower < upper);
}

template <typename T>
Selection<T> selectionOf(int range, Real<T> lower, Real<T> upper, int first, int last) {
  char letter = range == rangeAll ? 'a' : range == rangeIndices ? 'i' : 'v';
  return {letter, lower, upper, first, last};
}

template <typename T>
Status evdxSize(void *handle, int mode, int range, int fill, int n, const T *, int lda,
                Real<T> lower, Real<T> upper, int first, int last, int *, const Real<T> *,
                int *size) {
  return tellSize(
      handle, isProblem(mode, fill, n, lda) && isSelection<T>(range, n, lower, upper, first, last),
      size, n);
}

template <typename T>
Status evdx(void *handle, int mode, int range, int fill, int n, T *a, int lda, Real<T> lower,
            Real<T> upper, int first, int last, int *found, Real<T> *w, T *, int, int *info) {
  bool right = isProblem(mode, fill, n, lda) && isSelection<T>(range, n, lower, upper, first, last);
  return run(handle, right, [=] {
    tell(info, someEigenvalues(vectorLetter(mode), fillLetter(fill), n, a, lda,
                               selectionOf<T>(range, lower, upper, first, last), found, w));
  });
}

template <typename T>
Status gvdxSize(void *handle, int type, int mode, int range, int fill, int n, const T *, int lda,
                const T *, int ldb, Real<T> lower, Real<T> upper, int first, int last, int *,
                const Real<T> *, int *size) {
  bool right = isType(type) && isProblem(mode, fill, n, lda) && fits(ldb, n) &&
               isSelection<T>(range, n, lower, upper, first, last);
  return tellSize(handle, right, size, n);
}

// As LAPACK's own driver: B's factor, the standard problem, and the vectors back.
template <typename T>
int someGeneralised(int type, char job, char fill, int n, T *a, int lda, T *b, int ldb,
                    const Selection<T> &selection, int *found, Real<T> *w) {
  int info = 0;
  call<T>("potrf", fill, n, opened(b), ldb, &info);
  if (info)
    return n + info;
  call<T>(isComplex<T> ? "hegst" : "sygst", type, fill, n, opened(a), lda, b, ldb, &info);
  int count = 0;
  info = someEigenvalues(job, fill, n, a, lda, selection, &count, w);
  *found = count;
  if (job != 'v')
    return info;
  char adjoint = isComplex<T> ? 'c' : 't';
  bool isUpper = fill == 'u';
  char operation = type == 3 ? (isUpper ? adjoint : 'n') : (isUpper ? 'n' : adjoint);
  call<T>(type == 3 ? "trmm" : "trsm", 'l', fill, operation, 'n', n, count, T(1), b, ldb, a, lda);
  return info;
}

template <typename T>
Status gvdx(void *handle, int type, int mode, int range, int fill, int n, T *a, int lda, T *b,
            int ldb, Real<T> lower, Real<T> upper, int first, int last, int *found, Real<T> *w, T *,
            int, int *info) {
  bool right = isType(type) && isProblem(mode, fill, n, lda) && fits(ldb, n) && found &&
               isSelection<T>(range, n, lower, upper, first, last);
  return run(handle, right, [=] {
    tell(info, someGeneralised(type, vectorLetter(mode), fillLetter(fill), n, a, lda, b, ldb,
                               selectionOf<T>(range, lower, upper, first, last), found, w));
  });
}

bool countsSweep(void *settings) {
  Jacobi *jacobi = jacobis().find(settings);
  if (jacobi)
    jacobi->sweeps = 1;
  return jacobi;
}

template <typename T>
Status evjSize(void *handle, int mode, int fill, int n, const T *a, int lda, const Real<T> *w,
               int *size, void *settings) {
  return jacobis().find(settings) ? evdSize(handle, mode, fill, n, a, lda, w, size) : invalidValue;
}

template <typename T>
Status evj(void *handle, int mode, int fill, int n, T *a, int lda, Real<T> *w, T *work, int lwork,
           int *info, void *settings) {
  return countsSweep(settings) ? evd(handle, mode, fill, n, a, lda, w, work, lwork, info)
                               : invalidValue;
}

template <typename T>
Status gvjSize(void *handle, int type, int mode, int fill, int n, const T *a, int lda, const T *b,
               int ldb, const Real<T> *w, int *size, void *settings) {
  return jacobis().find(settings) ? gvdSize(handle, type, mode, fill, n, a, lda, b, ldb, w, size)
                                  : invalidValue;
}

template <typename T>
Status gvj(void *handle, int type, int mode, int fill, int n, T *a, int lda, T *b, int ldb,
           Real<T> *w, T *work, int lwork, int *info, void *settings) {
  return countsSweep(settings)
             ? gvd(handle, type, mode, fill, n, a, lda, b, ldb, w, work, lwork, info)
             : invalidValue;
}

template <typename T>
Status batchedSize(void *handle, int mode, int fill, int n, const T *, int lda, const Real<T> *,
                   int *size, void *settings, int batches) {
  bool right = jacobis().find(settings) && isProblem(mode, fill, n, lda) && batches >= 0;
  return tellSize(handle, right, size, int64_t(n) * batches);
}

// The matrices lie one behind the other.
template <typename T>
Status evjBatched(void *handle, int mode, int fill, int n, T *a, int lda, Real<T> *w, T *, int,
                  int *info, void *settings, int batches) {
  bool right = countsSweep(settings) && isProblem(mode, fill, n, lda) && batches >= 0;
  return run(handle, right, [=] {
    for (int64_t i = 0; i < batches; ++i)
      opened(info)[i] =
          eigenvalues(vectorLetter(mode), fillLetter(fill), n, a + i * n * lda, lda, w + i * n);
  });
}

} // namespace

std::span<const HostFunction> eigenvalueRoutines() {
  static const HostFunction rows[] = {
      CUFRT_BOTH("syevd_bufferSize", "heevd_bufferSize", evdSize),
      CUFRT_BOTH("syevd", "heevd", evd),
      CUFRT_BOTH("sygvd_bufferSize", "hegvd_bufferSize", gvdSize),
      CUFRT_BOTH("sygvd", "hegvd", gvd),
      CUFRT_BOTH("syevdx_bufferSize", "heevdx_bufferSize", evdxSize),
      CUFRT_BOTH("syevdx", "heevdx", evdx),
      CUFRT_BOTH("sygvdx_bufferSize", "hegvdx_bufferSize", gvdxSize),
      CUFRT_BOTH("sygvdx", "hegvdx", gvdx),
      CUFRT_BOTH("syevj_bufferSize", "heevj_bufferSize", evjSize),
      CUFRT_BOTH("syevj", "heevj", evj),
      CUFRT_BOTH("sygvj_bufferSize", "hegvj_bufferSize", gvjSize),
      CUFRT_BOTH("sygvj", "hegvj", gvj),
      CUFRT_BOTH("syevjBatched_bufferSize", "heevjBatched_bufferSize", batchedSize),
      CUFRT_BOTH("syevjBatched", "heevjBatched", evjBatched),
  };
  return rows;
}

} // namespace cufrt::libraries::cusolver
