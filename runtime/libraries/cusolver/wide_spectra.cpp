// The 64-bit interface on the host device: eigenvalues of general matrices, batches, and the
// singular values that a GPU finds by polar decompositions and by random directions. LAPACK's
// drivers find the same, to the last digits.
#include "libraries/cusolver/wide.h"

namespace cufrt::libraries::cusolver {
namespace {

// -------------------------------------------------------------------------- eigenvalues, in
// general

// What the library knows: no left vectors, values of a real matrix as complex or as real numbers.
struct General {
  int left, right, type, valueType, leftType, rightType;
  int64_t n, lda, ldvr;

  bool isComplexValues() const { return isComplexData(valueType); }
  bool isRight() const {
    bool values = valueType == type || (isComplexValues() && isRealOf(type, valueType));
    return left == 0 && isMode(right) && values && leftType == type && rightType == type &&
           areSizes(n, lda, ldvr) && fits(lda, n) && (!right || fits(ldvr, n));
  }
};

template <typename T>
int generalEigenvalues(const General &problem, T *a, void *w, T *vectors) {
  int n = int(problem.n), lda = int(problem.lda), ldvr = int(std::max<int64_t>(1, problem.ldvr));
  char right = vectorLetter(problem.right);
  T *none = nullptr;
  if constexpr (isComplex<T>) {
    std::vector<Real<T>> rwork = room<Real<T>>(2 * problem.n);
    std::vector<T> work = room<T>(4 * problem.n);
    int info = 0;
    call<T>("geev", 'n', right, n, opened(a), lda, opened(static_cast<T *>(w)), none, 1,
            opened(vectors), ldvr, work.data(), int(work.size()), rwork.data(), &info);
    return info;
  } else {
    std::vector<T> parts = room<T>(2 * problem.n);
    T *real = parts.data(), *imaginary = real + n;
    int info = lapack<T>("geev", 'n', right, n, opened(a), lda, real, imaginary, none, 1,
                         opened(vectors), ldvr);
    if (problem.isComplexValues())
      for (int i = 0; i < n; ++i)
        opened(static_cast<std::complex<T> *>(w))[i] = {real[i], imaginary[i]};
    else
      std::copy_n(real, 2 * problem.n, opened(static_cast<T *>(w)));
    return info;
  }
}

Status geevSize(void *handle, void *, int left, int right, int64_t n, int type, const void *,
                int64_t lda, int wType, const void *, int vlType, const void *, int64_t, int vrType,
                const void *, int64_t ldvr, int, size_t *device, size_t *host) {
  General problem{left, right, type, wType, vlType, vrType, n, lda, ldvr};
  return sizes(handle, problem.isRight(), device, host);
}

Status geev(void *handle, void *, int left, int right, int64_t n, int type, void *a, int64_t lda,
            int wType, void *w, int vlType, const void *, int64_t, int vrType, void *vr,
            int64_t ldvr, int, void *, size_t, void *, size_t, int *info) {
  General problem{left, right, type, wType, vlType, vrType, n, lda, ldvr};
  return runTyped(handle, problem.isRight(), type, a, [=](auto *matrix) {
    tell(info, generalEigenvalues(problem, matrix, w, static_cast<decltype(matrix)>(vr)));
  });
}

// --------------------------------------------------------------------------------------- batches

bool isBatch(int mode, int fill, int64_t n, int64_t lda, int type, int wType, int64_t batches) {
  return isMode(mode) && isFill(fill) && areSizes(n, lda, batches) && fits(lda, n) &&
         isRealOf(wType, type);
}

Status syevSize(void *handle, void *, int mode, int fill, int64_t n, int type, const void *,
                int64_t lda, int wType, const void *, int, size_t *device, size_t *host,
                int64_t batches) {
  return sizes(handle, isBatch(mode, fill, n, lda, type, wType, batches), device, host);
}

Status syev(void *handle, void *, int mode, int fill, int64_t n, int type, void *a, int64_t lda,
            int wType, void *w, int, void *, size_t, void *, size_t, int *info, int64_t batches) {
  bool right = isBatch(mode, fill, n, lda, type, wType, batches) && info;
  return runTyped(handle, right, type, a, [=](auto *matrices) {
    using T = ElementOf<decltype(matrices)>;
    auto *values = static_cast<Real<T> *>(w);
    for (int64_t i = 0; i < batches; ++i)
      opened(info)[i] = eigenvalues(vectorLetter(mode), fillLetter(fill), int(n),
                                    matrices + i * n * lda, int(lda), values + i * n);
  });
}

// ------------------------------------------------------------------------------- singular values

struct Decomposition {
  int64_t m, n, lda, ldu, ldv;
  int type, valueType, leftType, rightType;

  bool isRight() const {
    return areSizes(m, n, lda, ldu, ldv) && fits(lda, m) && isRealOf(valueType, type) &&
           leftType == type && rightType == type;
  }
  bool fitVectors(bool left, bool right) const {
    return (!left || fits(ldu, m)) && (!right || fits(ldv, n));
  }
};

Status gesvdpSize(void *handle, void *, int mode, int, int64_t m, int64_t n, int type, const void *,
                  int64_t lda, int sType, const void *, int uType, const void *, int64_t ldu,
                  int vType, const void *, int64_t ldv, int, size_t *device, size_t *host) {
  Decomposition problem{m, n, lda, ldu, ldv, type, sType, uType, vType};
  return sizes(handle, isMode(mode) && problem.isRight() && problem.fitVectors(mode, mode), device,
               host);
}

Status gesvdp(void *handle, void *, int mode, int economical, int64_t m, int64_t n, int type,
              void *a, int64_t lda, int sType, void *s, int uType, void *u, int64_t ldu, int vType,
              void *v, int64_t ldv, int, void *, size_t, void *, size_t, int *info,
              double *perturbation) {
  Decomposition problem{m, n, lda, ldu, ldv, type, sType, uType, vType};
  bool right = isMode(mode) && problem.isRight() && problem.fitVectors(mode, mode) && perturbation;
  if (right)
    *perturbation = 0;
  return runTyped(handle, right, type, a, [=](auto *matrix) {
    using T = ElementOf<decltype(matrix)>;
    tell(info, valuesAndVectors({int(m), int(n), mode == 1, economical != 0}, matrix, int(lda),
                                static_cast<Real<T> *>(s), static_cast<T *>(u), int(ldu),
                                static_cast<T *>(v), int(ldv)));
  });
}

// The jobs, and how many values are wanted of the matrix, beside `p` that make them better.
struct Choice {
  char left, right;
  int64_t wanted, further, steps;

  bool wantsLeft() const { return (left | 0x20) == 's'; }
  bool wantsRight() const { return (right | 0x20) == 's'; }
  bool isRight(const Decomposition &of) const {
    bool jobs = (wantsLeft() || (left | 0x20) == 'n') && (wantsRight() || (right | 0x20) == 'n');
    return jobs && of.m >= of.n && wanted >= 1 && further >= 0 && wanted + further <= of.n &&
           steps >= 0 && of.fitVectors(wantsLeft(), wantsRight());
  }
};

template <typename T>
int largestValues(const Decomposition &problem, const Choice &choice, T *a, Real<T> *s, T *u,
                  T *v) {
  int64_t m = problem.m, n = problem.n;
  std::vector<Real<T>> values = room<Real<T>>(n);
  std::vector<T> left = room<T>(m * n), right = room<T>(n * n);
  int info = singularValues('s', 's', int(m), int(n), a, int(problem.lda), values.data(),
                            left.data(), int(m), right.data(), int(n));
  std::copy_n(values.begin(), choice.wanted, opened(s));
  for (int64_t j = 0; j < choice.wanted; ++j) {
    if (choice.wantsLeft())
      std::copy_n(left.begin() + j * m, m, opened(u) + j * problem.ldu);
    for (int64_t i = 0; choice.wantsRight() && i < n; ++i)
      opened(v)[j * problem.ldv + i] = conjugate(right[static_cast<size_t>(i * n + j)]);
  }
  return info;
}

Status gesvdrSize(void *handle, void *, signed char jobu, signed char jobv, int64_t m, int64_t n,
                  int64_t k, int64_t p, int64_t steps, int type, const void *, int64_t lda,
                  int sType, const void *, int uType, const void *, int64_t ldu, int vType,
                  const void *, int64_t ldv, int, size_t *device, size_t *host) {
  Decomposition problem{m, n, lda, ldu, ldv, type, sType, uType, vType};
  Choice choice{char(jobu), char(jobv), k, p, steps};
  return sizes(handle, problem.isRight() && choice.isRight(problem), device, host);
}

Status gesvdr(void *handle, void *, signed char jobu, signed char jobv, int64_t m, int64_t n,
              int64_t k, int64_t p, int64_t steps, int type, void *a, int64_t lda, int sType,
              void *s, int uType, void *u, int64_t ldu, int vType, void *v, int64_t ldv, int,
              void *, size_t, void *, size_t, int *info) {
  Decomposition problem{m, n, lda, ldu, ldv, type, sType, uType, vType};
  Choice choice{char(jobu), char(jobv), k, p, steps};
  return runTyped(handle, problem.isRight() && choice.isRight(problem), type, a, [=](auto *matrix) {
    using T = ElementOf<decltype(matrix)>;
    tell(info, largestValues(problem, choice, matrix, static_cast<Real<T> *>(s),
                             static_cast<T *>(u), static_cast<T *>(v)));
  });
}

} // namespace

std::span<const HostFunction> wideSpectra() {
  static const HostFunction rows[] = {
      CUFRT_ROW("cusolverDnXgeev_bufferSize", geevSize),
      CUFRT_ROW("cusolverDnXgeev", geev),
      CUFRT_ROW("cusolverDnXsyevBatched_bufferSize", syevSize),
      CUFRT_ROW("cusolverDnXsyevBatched", syev),
      CUFRT_ROW("cusolverDnXgesvdp_bufferSize", gesvdpSize),
      CUFRT_ROW("cusolverDnXgesvdp", gesvdp),
      CUFRT_ROW("cusolverDnXgesvdr_bufferSize", gesvdrSize),
      CUFRT_ROW("cusolverDnXgesvdr", gesvdr),
  };
  return rows;
}

} // namespace cufrt::libraries::cusolver
