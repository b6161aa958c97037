// The 64-bit interface on the host device: factorisations and systems, and what came with the
// first libraries that had it.
#include "libraries/cusolver/wide.h"

namespace cufrt::libraries::cusolver {
namespace {

Status potrfSize(void *handle, void *, int fill, int64_t n, int, const void *, int64_t lda, int,
                 size_t *device, size_t *host) {
  return sizes(handle, isFill(fill) && areSizes(n, lda) && fits(lda, n), device, host);
}

Status potrf(void *handle, void *, int fill, int64_t n, int type, void *a, int64_t lda, int, void *,
             size_t, void *, size_t, int *info) {
  return runTyped(handle, isFill(fill) && areSizes(n, lda) && fits(lda, n), type, a,
                  [=](auto *matrix) {
                    using T = ElementOf<decltype(matrix)>;
                    int result = 0;
                    call<T>("potrf", fillLetter(fill), int(n), opened(matrix), int(lda), &result);
                    tell(info, result);
                  });
}

Status potrs(void *handle, void *, int fill, int64_t n, int64_t rightSides, int type, const void *a,
             int64_t lda, int bType, void *b, int64_t ldb, int *info) {
  bool right = isFill(fill) && areSizes(n, rightSides, lda, ldb) && fits(lda, n) && fits(ldb, n) &&
               type == bType;
  return runTyped(handle, right, type, const_cast<void *>(a), [=](auto *matrix) {
    using T = ElementOf<decltype(matrix)>;
    int result = 0;
    call<T>("potrs", fillLetter(fill), int(n), int(rightSides), opened(matrix), int(lda),
            opened(static_cast<T *>(b)), int(ldb), &result);
    tell(info, result);
  });
}

Status getrfSize(void *handle, void *, int64_t m, int64_t n, int, const void *, int64_t lda, int,
                 size_t *device, size_t *host) {
  return sizes(handle, areSizes(m, n, lda) && fits(lda, m), device, host);
}

Status getrf(void *handle, void *, int64_t m, int64_t n, int type, void *a, int64_t lda,
             int64_t *pivots, int, void *, size_t, void *, size_t, int *info) {
  return runTyped(handle, areSizes(m, n, lda) && fits(lda, m), type, a, [=](auto *matrix) {
    using T = ElementOf<decltype(matrix)>;
    int result = 0;
    if (!pivots) {
      tell(info, factorWithoutPivots(int(m), int(n), opened(matrix), int(lda)));
      return;
    }
    std::vector<int> narrow = room<int>(std::min(m, n));
    call<T>("getrf", int(m), int(n), opened(matrix), int(lda), narrow.data(), &result);
    std::copy_n(narrow.begin(), std::min(m, n), opened(pivots));
    tell(info, result);
  });
}

Status getrs(void *handle, void *, int operation, int64_t n, int64_t rightSides, int type,
             const void *a, int64_t lda, const int64_t *pivots, int bType, void *b, int64_t ldb,
             int *info) {
  bool right = isOperation(operation) && areSizes(n, rightSides, lda, ldb) && fits(lda, n) &&
               fits(ldb, n) && type == bType;
  return runTyped(handle, right, type, const_cast<void *>(a), [=](auto *matrix) {
    using T = ElementOf<decltype(matrix)>;
    std::vector<int> narrow = room<int>(n);
    for (int64_t i = 0; i < n; ++i)
      narrow[static_cast<size_t>(i)] = static_cast<int>(pivots ? opened(pivots)[i] : i + 1);
    int result = 0;
    call<T>("getrs", operationLetter(operation), int(n), int(rightSides), opened(matrix), int(lda),
            narrow.data(), opened(static_cast<T *>(b)), int(ldb), &result);
    tell(info, result);
  });
}

Status geqrfSize(void *handle, void *, int64_t m, int64_t n, int, const void *, int64_t lda, int,
                 const void *, int, size_t *device, size_t *host) {
  return sizes(handle, areSizes(m, n, lda) && fits(lda, m), device, host);
}

Status geqrf(void *handle, void *, int64_t m, int64_t n, int type, void *a, int64_t lda,
             int tauType, void *tau, int, void *, size_t, void *, size_t, int *info) {
  return runTyped(handle, areSizes(m, n, lda) && fits(lda, m) && tauType == type, type, a,
                  [=](auto *matrix) {
                    using T = ElementOf<decltype(matrix)>;
                    tell(info, lapack<T>("geqrf", int(m), int(n), opened(matrix), int(lda),
                                         opened(static_cast<T *>(tau))));
                  });
}

Status syevdSize(void *handle, void *, int mode, int fill, int64_t n, int type, const void *,
                 int64_t lda, int wType, const void *, int, size_t *device, size_t *host) {
  bool right =
      isMode(mode) && isFill(fill) && areSizes(n, lda) && fits(lda, n) && isRealOf(wType, type);
  return sizes(handle, right, device, host);
}

Status syevd(void *handle, void *, int mode, int fill, int64_t n, int type, void *a, int64_t lda,
             int wType, void *w, int, void *, size_t, void *, size_t, int *info) {
  bool right =
      isMode(mode) && isFill(fill) && areSizes(n, lda) && fits(lda, n) && isRealOf(wType, type);
  return runTyped(handle, right, type, a, [=](auto *matrix) {
    using T = ElementOf<decltype(matrix)>;
    tell(info, eigenvalues(vectorLetter(mode), fillLetter(fill), int(n), matrix, int(lda),
                           static_cast<Real<T> *>(w)));
  });
}

Status syevdxSize(void *handle, void *, int mode, int, int fill, int64_t n, int type, const void *,
                  int64_t lda, void *, void *, int64_t, int64_t, int64_t *, int wType, const void *,
                  int, size_t *device, size_t *host) {
  bool right =
      isMode(mode) && isFill(fill) && areSizes(n, lda) && fits(lda, n) && isRealOf(wType, type);
  return sizes(handle, right, device, host);
}

Status syevdx(void *handle, void *, int mode, int range, int fill, int64_t n, int type, void *a,
              int64_t lda, void *lower, void *upper, int64_t first, int64_t last, int64_t *found,
              int wType, void *w, int, void *, size_t, void *, size_t, int *info) {
  bool right = isMode(mode) && isFill(fill) && areSizes(n, lda) && fits(lda, n) &&
               isRealOf(wType, type) && found && range >= 1001 &&
               range <= 1003; // cusolverEigRange_t: all, indices, values
  return runTyped(handle, right, type, a, [=](auto *matrix) {
    using T = ElementOf<decltype(matrix)>;
    bool byValue = range == 1003;
    Selection<T> selection{"aiv"[range - 1001], byValue ? *static_cast<Real<T> *>(lower) : 0,
                           byValue ? *static_cast<Real<T> *>(upper) : 0, int(first), int(last)};
    int count = 0;
    tell(info, someEigenvalues(vectorLetter(mode), fillLetter(fill), int(n), matrix, int(lda),
                               selection, &count, static_cast<Real<T> *>(w)));
    *found = count;
  });
}

Status gesvdSize(void *handle, void *, char, char, int64_t m, int64_t n, int type, const void *,
                 int64_t lda, int sType, const void *, int, const void *, int64_t, int,
                 const void *, int64_t, int, size_t *device, size_t *host) {
  return sizes(handle, areSizes(m, n, lda) && m >= n && fits(lda, m) && isRealOf(sType, type),
               device, host);
}

Status gesvd(void *handle, void *, char jobu, char jobvt, int64_t m, int64_t n, int type, void *a,
             int64_t lda, int sType, void *s, int, void *u, int64_t ldu, int, void *vt,
             int64_t ldvt, int, void *, size_t, void *, size_t, int *info) {
  bool right = areSizes(m, n, lda, ldu, ldvt) && m >= n && fits(lda, m) && isRealOf(sType, type);
  return runTyped(handle, right, type, a, [=](auto *matrix) {
    using T = ElementOf<decltype(matrix)>;
    tell(info,
         singularValues(jobu, jobvt, int(m), int(n), matrix, int(lda), static_cast<Real<T> *>(s),
                        static_cast<T *>(u), int(ldu), static_cast<T *>(vt), int(ldvt)));
  });
}

Status trtriSize(void *handle, int fill, int diagonal, int64_t n, int, void *, int64_t lda,
                 size_t *device, size_t *host) {
  return sizes(handle,
               isFill(fill) && (diagonal == 0 || diagonal == 1) && areSizes(n, lda) && fits(lda, n),
               device, host);
}

Status trtri(void *handle, int fill, int diagonal, int64_t n, int type, void *a, int64_t lda,
             void *, size_t, void *, size_t, int *info) {
  bool right = isFill(fill) && (diagonal == 0 || diagonal == 1) && areSizes(n, lda) && fits(lda, n);
  return runTyped(handle, right, type, a, [=](auto *matrix) {
    using T = ElementOf<decltype(matrix)>;
    int result = 0;
    call<T>("trtri", fillLetter(fill), diagonal == 1 ? 'u' : 'n', int(n), opened(matrix), int(lda),
            &result);
    tell(info, result);
  });
}

// Pivots as LAPACK has them.
std::vector<int> narrowPivots(const int64_t *pivots, int64_t n) {
  std::vector<int> narrow = room<int>(n);
  std::copy_n(opened(pivots), n, narrow.begin());
  return narrow;
}

bool isSystem(int fill, int64_t n, int64_t rightSides, int64_t lda, const int64_t *pivots,
              int64_t ldb) {
  return isFill(fill) && areSizes(n, rightSides, lda, ldb) && fits(lda, n) && fits(ldb, n) &&
         pivots;
}

Status sytrsSize(void *handle, int fill, int64_t n, int64_t rightSides, int type, const void *,
                 int64_t lda, const int64_t *pivots, int bType, void *, int64_t ldb, size_t *device,
                 size_t *host) {
  return sizes(handle, isSystem(fill, n, rightSides, lda, pivots, ldb) && type == bType, device,
               host);
}

Status sytrs(void *handle, int fill, int64_t n, int64_t rightSides, int type, const void *a,
             int64_t lda, const int64_t *pivots, int bType, void *b, int64_t ldb, void *, size_t,
             void *, size_t, int *info) {
  bool right = isSystem(fill, n, rightSides, lda, pivots, ldb) && type == bType;
  return runTyped(handle, right, type, const_cast<void *>(a), [=](auto *matrix) {
    using T = ElementOf<decltype(matrix)>;
    std::vector<int> narrow = narrowPivots(pivots, n);
    int result = 0;
    call<T>("sytrs", fillLetter(fill), int(n), int(rightSides), opened(matrix), int(lda),
            narrow.data(), opened(static_cast<T *>(b)), int(ldb), &result);
    tell(info, result);
  });
}

// As on a GPU the reflectors go forward and lie in columns.
Status larftProblem(int direct, int stored, int64_t n, int64_t k, int64_t ldv, int64_t ldt) {
  if (direct < 0 || direct > 1 || stored < 0 || stored > 1 || !areSizes(n, k, ldv, ldt) || k > n ||
      !fits(ldv, n) || !fits(ldt, k))
    return invalidValue;
  return direct == 0 && stored == 0 ? ok : notSupported;
}

Status larftSize(void *handle, void *, int direct, int stored, int64_t n, int64_t k, int,
                 const void *, int64_t ldv, int, const void *, int, void *, int64_t ldt, int,
                 size_t *device, size_t *host) {
  Status problem = larftProblem(direct, stored, n, k, ldv, ldt);
  return problem == notSupported && contexts().find(handle)
             ? notSupported
             : sizes(handle, problem == ok, device, host);
}

Status larft(void *handle, void *, int direct, int stored, int64_t n, int64_t k, int type,
             const void *v, int64_t ldv, int tauType, const void *tau, int tType, void *t,
             int64_t ldt, int, void *, size_t, void *, size_t) {
  Status problem = larftProblem(direct, stored, n, k, ldv, ldt);
  if (problem == notSupported && contexts().find(handle))
    return notSupported;
  bool right = problem == ok && tauType == type && tType == type;
  return runTyped(handle, right, type, t, [=](auto *triangle) {
    using T = ElementOf<decltype(triangle)>;
    call<T>("larft", 'f', 'c', int(n), int(k), opened(static_cast<const T *>(v)), int(ldv),
            opened(static_cast<const T *>(tau)), opened(triangle), int(ldt));
  });
}

} // namespace

std::span<const HostFunction> wide() {
  static const HostFunction rows[] = {
      CUFRT_ROW("cusolverDnXpotrf_bufferSize", potrfSize),
      CUFRT_ROW("cusolverDnXpotrf", potrf),
      CUFRT_ROW("cusolverDnXpotrs", potrs),
      CUFRT_ROW("cusolverDnXgetrf_bufferSize", getrfSize),
      CUFRT_ROW("cusolverDnXgetrf", getrf),
      CUFRT_ROW("cusolverDnXgetrs", getrs),
      CUFRT_ROW("cusolverDnXgeqrf_bufferSize", geqrfSize),
      CUFRT_ROW("cusolverDnXgeqrf", geqrf),
      CUFRT_ROW("cusolverDnXsyevd_bufferSize", syevdSize),
      CUFRT_ROW("cusolverDnXsyevd", syevd),
      CUFRT_ROW("cusolverDnXsyevdx_bufferSize", syevdxSize),
      CUFRT_ROW("cusolverDnXsyevdx", syevdx),
      CUFRT_ROW("cusolverDnXgesvd_bufferSize", gesvdSize),
      CUFRT_ROW("cusolverDnXgesvd", gesvd),
      CUFRT_ROW("cusolverDnXtrtri_bufferSize", trtriSize),
      CUFRT_ROW("cusolverDnXtrtri", trtri),
      CUFRT_ROW("cusolverDnXsytrs_bufferSize", sytrsSize),
      CUFRT_ROW("cusolverDnXsytrs", sytrs),
      CUFRT_ROW("cusolverDnXlarft_bufferSize", larftSize),
      CUFRT_ROW("cusolverDnXlarft", larft),
  };
  return rows;
}

} // namespace cufrt::libraries::cusolver
