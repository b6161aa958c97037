// cuSOLVER's dense routines on the host device, over the system's LAPACK. It brings the workspaces
// that LAPACK wants, so those of the program may be small; each file has a table of what it
// implements, by the library's names.
#ifndef CUFRT_LIBRARIES_CUSOLVER_CUSOLVER_H
#define CUFRT_LIBRARIES_CUSOLVER_CUSOLVER_H

#include "libraries/fortran_library.h"
#include "libraries/host_function.h"
#include "libraries/stream_work.h"

#include <algorithm>
#include <vector>

namespace cufrt::libraries::cusolver {

// cusolverStatus_t of cusolver_common.h.
enum Status : int {
  ok = 0,
  notInitialized = 1,
  invalidValue = 3,
  executionFailed = 6,
  notSupported = 9,
};

struct Context {
  void *stream = nullptr;
  int deterministic = 1, math = 1;
};
LiveObjects<Context> &contexts();

// Settings of Jacobi's methods, of which LAPACK's way needs none.
struct Jacobi {
  double tolerance = 0;
  int mostSweeps = 100, isSorted = 1, sweeps = 0;
};
LiveObjects<Jacobi> &jacobis();

// LAPACK's letters of cuBLAS's enumerations, and whether a value is one of them.
inline char fillLetter(int fill) { return fill == 1 ? 'u' : 'l'; }
inline char operationLetter(int operation) { return "ntc"[operation]; }
inline char sideLetter(int side) { return side == 1 ? 'r' : 'l'; }
inline char vectorLetter(int mode) { return mode == 1 ? 'v' : 'n'; }
inline bool isFill(int fill) { return fill == 0 || fill == 1; }
inline bool isOperation(int operation) { return operation >= 0 && operation <= 2; }
inline bool isSide(int side) { return side == 0 || side == 1; }
inline bool isMode(int mode) { return mode == 0 || mode == 1; }
inline bool fits(int64_t leading, int64_t rows) { return leading >= (rows > 1 ? rows : 1); }

// Runs `body` in the handle's stream, if the arguments are right.
template <typename Body>
Status run(void *handle, bool isRight, const Body &body) {
  Context *context = contexts().find(handle);
  if (!context)
    return notInitialized;
  if (!isRight)
    return invalidValue;
  return runInStream(context->stream, body) == success ? ok : executionFailed;
}

// The size of a workspace that a program is told.
inline Status tellSize(void *handle, bool isRight, int *size, int64_t elements) {
  if (!contexts().find(handle))
    return notInitialized;
  if (!isRight || !size)
    return invalidValue;
  *size = static_cast<int>(std::max<int64_t>(1, elements));
  return ok;
}

template <typename T>
std::vector<T> room(int64_t elements) {
  return std::vector<T>(static_cast<size_t>(std::max<int64_t>(1, elements)));
}

// Calls a routine of LAPACK that ends with work, lwork, info, as often as it takes to know lwork.
template <typename T, typename... Arguments>
int lapack(const char *stem, const Arguments &...arguments) {
  T best = 0;
  int info = 0;
  call<T>(stem, arguments..., &best, -1, &info);
  std::vector<T> work = room<T>(static_cast<int64_t>(std::real(best)));
  int size = static_cast<int>(work.size());
  call<T>(stem, arguments..., work.data(), size, &info);
  return info;
}

inline void tell(int *info, int value) {
  if (info)
    *opened(info) = value;
}

// Eigenvalues of a symmetric or Hermitian matrix, vectors in its place. Of a generalised problem
// with `b`.
template <typename T>
int eigenvalues(char job, char fill, int n, T *a, int lda, Real<T> *w);
template <typename T>
int generalisedEigenvalues(int type, char job, char fill, int n, T *a, int lda, T *b, int ldb,
                           Real<T> *w);

// Those of a range; the vectors come to the first columns of the matrix.
template <typename T>
struct Selection {
  char range;
  Real<T> lower, upper;
  int first, last;
};
template <typename T>
int someEigenvalues(char job, char fill, int n, T *a, int lda, const Selection<T> &selection,
                    int *found, Real<T> *w);

template <typename T>
int singularValues(char jobu, char jobvt, int m, int n, T *a, int lda, Real<T> *s, T *u, int ldu,
                   T *vt, int ldvt);

// Those of a matrix of any shape; the vectors on the right are not transposed.
struct Shape {
  int m, n;
  bool wantsVectors, isEconomical;
};
template <typename T>
int valuesAndVectors(const Shape &shape, T *a, int lda, Real<T> *s, T *u, int ldu, T *v, int ldv);

template <typename T>
int factorWithoutPivots(int m, int n, T *a, int lda);

std::span<const HostFunction> helpers();
std::span<const HostFunction> factorizations();
std::span<const HostFunction> orthogonal();
std::span<const HostFunction> eigenvalueRoutines();
std::span<const HostFunction> singularValueRoutines();
std::span<const HostFunction> wide();
std::span<const HostFunction> wideSpectra();

#define CUFRT_ROW(name, function) {name, reinterpret_cast<void *>(&function)}
#define CUFRT_REAL(stem, function)                                                                 \
  CUFRT_ROW("cusolverDnS" stem, (function<float>)),                                                \
      CUFRT_ROW("cusolverDnD" stem, (function<double>))
#define CUFRT_COMPLEX(stem, function)                                                              \
  CUFRT_ROW("cusolverDnC" stem, (function<ComplexFloat>)),                                         \
      CUFRT_ROW("cusolverDnZ" stem, (function<ComplexDouble>))
#define CUFRT_ALL(stem, function) CUFRT_REAL(stem, function), CUFRT_COMPLEX(stem, function)
// Routines that have another name for complex numbers.
#define CUFRT_BOTH(real, complex, function)                                                        \
  CUFRT_REAL(real, function), CUFRT_COMPLEX(complex, function)

} // namespace cufrt::libraries::cusolver
#endif // CUFRT_LIBRARIES_CUSOLVER_CUSOLVER_H
