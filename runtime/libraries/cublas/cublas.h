// cuBLAS on the host device: the library's functions with their C signatures, over the system's
// BLAS. Each file has a table of what it implements, by the library's names.
//
// Enumerations are types of their own and scalars are In and Out, so that the signatures tell all
// that the older interface, which takes characters and values, is derived from (legacy.h).
#ifndef CUFRT_LIBRARIES_CUBLAS_CUBLAS_H
#define CUFRT_LIBRARIES_CUBLAS_CUBLAS_H

#include "libraries/fortran_library.h"
#include "libraries/host_function.h"
#include "libraries/stream_work.h"

namespace cufrt::libraries::cublas {

// cublasStatus_t of cublas_api.h; so are the other values here.
enum Status : int {
  ok = 0,
  notInitialized = 1,
  allocationFailed = 3,
  invalidValue = 7,
  executionFailed = 13,
  notSupported = 15,
};
enum class Operation : int { plain = 0, transposed = 1, conjugated = 2 };
enum class Fill : int { lower = 0, upper = 1 };
enum class Side : int { left = 0, right = 1 };
enum class Diagonal : int { nonUnit = 0, unit = 1 };

struct Context {
  void *stream = nullptr;
  bool scalarsOnDevice = false;
  int atomics = 0, math = 0, multiprocessors = 0;
  void *workspace = nullptr;
};

LiveObjects<Context> &contexts();

inline bool isValid(Operation value) { return static_cast<unsigned>(value) <= 2; }
inline bool isValid(Fill value) { return static_cast<unsigned>(value) <= 1; }
inline bool isValid(Side value) { return static_cast<unsigned>(value) <= 1; }
inline bool isValid(Diagonal value) { return static_cast<unsigned>(value) <= 1; }

// BLAS's letters.
inline char letter(Operation value) { return "ntc"[static_cast<int>(value)]; }
inline char letter(Fill value) { return "lu"[static_cast<int>(value)]; }
inline char letter(Side value) { return "lr"[static_cast<int>(value)]; }
inline char letter(Diagonal value) { return "nu"[static_cast<int>(value)]; }

// A leading dimension has room for `rows`.
inline bool fits(int64_t leading, int64_t rows) { return leading >= (rows > 1 ? rows : 1); }

inline Status statusOf(Error error) { return error == success ? ok : executionFailed; }

// Runs `body(context)` in the handle's stream, if the arguments are right.
template <typename Body>
Status run(void *handle, bool isRight, const Body &body) {
  Context *context = contexts().find(handle);
  if (!context)
    return notInitialized;
  if (!isRight)
    return invalidValue;
  return statusOf(runInStream(context->stream, body));
}

// Where it lies says its address, whatever the handle's pointer mode is.
template <typename T>
Scalar<T> scalar(In<T> in) {
  return Scalar<T>(in);
}

std::span<const HostFunction> helpers();
std::span<const HostFunction> level1();
std::span<const HostFunction> level2();
std::span<const HostFunction> level3();
std::span<const HostFunction> extensions();
std::span<const HostFunction> batched();
std::span<const HostFunction> mixed();
std::span<const HostFunction> mixedVectors();

#define CUFRT_ROW(name, function) {name, reinterpret_cast<void *>(&function)}
#define CUFRT_REAL(prefix, stem, function)                                                         \
  CUFRT_ROW(prefix "S" stem, (function<float>)), CUFRT_ROW(prefix "D" stem, (function<double>))
#define CUFRT_COMPLEX(prefix, stem, function)                                                      \
  CUFRT_ROW(prefix "C" stem, (function<ComplexFloat>)),                                            \
      CUFRT_ROW(prefix "Z" stem, (function<ComplexDouble>))
#define CUFRT_ALL(prefix, stem, function)                                                          \
  CUFRT_REAL(prefix, stem, function), CUFRT_COMPLEX(prefix, stem, function)

} // namespace cufrt::libraries::cublas
#endif // CUFRT_LIBRARIES_CUBLAS_CUBLAS_H
