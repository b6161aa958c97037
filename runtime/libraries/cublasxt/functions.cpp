// cuBLASXt on the host device: each product is that of cuBLAS there (libraries/cublas), with sizes
// of 64 bits. Tiles, devices and pinning are settings that are kept and asked for.
#include "libraries/cublas/cublas.h"
#include "libraries/cublas_v2.h"
#include "libraries/cublasxt.h"

#include <algorithm>
#include <cctype>
#include <climits>
#include <string>
#include <vector>

namespace cufrt::libraries::cublasxt {
namespace {

using cublas::Fill;
using cublas::Side;
using cublas::Status;
using Size = size_t;

struct Context {
  void *handle = nullptr; // of cuBLAS
  int tile = 2048, pinning = 0;
};

LiveObjects<Context> &contexts() {
  static auto *instance = new LiveObjects<Context>;
  return *instance;
}

template <typename Function>
Function cublasFunction(const std::string &name) {
  return reinterpret_cast<Function>(cublas_v2::hostFunction(name.c_str()));
}

Status create(void **handle) {
  if (!handle)
    return cublas::invalidValue;
  void *inner = nullptr;
  Status status = cublasFunction<Status (*)(void **)>("cublasCreate_v2")(&inner);
  if (status != cublas::ok)
    return status;
  *handle = contexts().create();
  contexts().find(*handle)->handle = inner;
  return status;
}

Status destroy(void *handle) {
  Context *context = contexts().find(handle);
  if (!context)
    return cublas::notInitialized;
  cublasFunction<Status (*)(void *)>("cublasDestroy_v2")(context->handle);
  contexts().destroy(handle);
  return cublas::ok;
}

// The host device is one, with the number 0.
bool areDevices(int count, const int *numbers) { return count == 1 && numbers && *numbers == 0; }

Status maxBoards(int *boards) {
  if (!boards)
    return cublas::invalidValue;
  *boards = 1;
  return cublas::ok;
}

Status numBoards(int count, const int *numbers, int *boards) {
  return areDevices(count, numbers) ? maxBoards(boards) : cublas::invalidValue;
}

Status deviceSelect(void *handle, int count, const int *numbers) {
  if (!contexts().find(handle))
    return cublas::notInitialized;
  return areDevices(count, numbers) ? cublas::ok : cublas::invalidValue;
}

template <int Context::*member, int least, int most>
Status set(void *handle, int value) {
  Context *context = contexts().find(handle);
  if (!context)
    return cublas::notInitialized;
  if (value < least || value > most)
    return cublas::invalidValue;
  context->*member = value;
  return cublas::ok;
}

template <int Context::*member>
Status get(void *handle, int *value) {
  Context *context = contexts().find(handle);
  if (!context)
    return cublas::notInitialized;
  if (!value)
    return cublas::invalidValue;
  *value = context->*member;
  return cublas::ok;
}

Status setCpuRatio(void *handle, int family, int type, float ratio) {
  if (!contexts().find(handle))
    return cublas::notInitialized;
  bool right = family >= 0 && family < 12 && type >= 0 && type < 4 && ratio >= 0 && ratio <= 1;
  return right ? cublas::ok : cublas::invalidValue;
}

// ------------------------------------------------------------------------------------- products

template <typename A>
auto narrow(A argument) {
  if constexpr (std::is_same_v<A, Size>)
    return static_cast<int>(argument);
  else
    return argument;
}

template <typename A>
bool isTooLarge(A argument) {
  if constexpr (std::is_same_v<A, Size>)
    return argument > INT_MAX;
  else
    return false;
}

template <size_t length>
struct Stem {
  constexpr Stem(const char (&of)[length]) { std::copy_n(of, length, text); }
  char text[length];
};

// The function of cuBLAS, whose arguments are the same in the same order.
template <Stem stem, typename T, typename... A>
Status forward(void *handle, A... arguments) {
  Context *context = contexts().find(handle);
  if (!context)
    return cublas::notInitialized;
  if ((isTooLarge(arguments) || ...))
    return cublas::notSupported;
  static const auto function = cublasFunction<Status (*)(void *, decltype(narrow(arguments))...)>(
      std::string("cublas") + static_cast<char>(std::toupper(Number<T>::letter)) + stem.text);
  return function(context->handle, narrow(arguments)...);
}

template <typename T>
constexpr auto gemm = forward<"gemm_v2", T, int, int, Size, Size, Size, const T *, const T *, Size,
                              const T *, Size, const T *, T *, Size>;
// SYMM, HEMM: a side, a triangle, two extents.
template <typename T, Stem stem>
constexpr auto sided = forward<stem, T, Side, Fill, Size, Size, const T *, const T *, Size,
                               const T *, Size, const T *, T *, Size>;
template <typename T>
constexpr auto symm = sided<T, "symm_v2">;
template <typename T>
constexpr auto hemm = sided<T, "hemm_v2">;
template <typename T, Stem stem, typename Factor>
constexpr auto update = forward<stem, T, Fill, int, Size, Size, const Factor *, const T *, Size,
                                const Factor *, T *, Size>;
template <typename T>
constexpr auto syrk = update<T, "syrk_v2", T>;
template <typename T>
constexpr auto herk = update<T, "herk_v2", Real<T>>;
template <typename T, Stem stem, typename Beta>
constexpr auto updateOfTwo = forward<stem, T, Fill, int, Size, Size, const T *, const T *, Size,
                                     const T *, Size, const Beta *, T *, Size>;
template <typename T>
constexpr auto syr2k = updateOfTwo<T, "syr2k_v2", T>;
template <typename T>
constexpr auto her2k = updateOfTwo<T, "her2k_v2", Real<T>>;
template <typename T>
constexpr auto syrkx = updateOfTwo<T, "syrkx", T>;
template <typename T>
constexpr auto herkx = updateOfTwo<T, "herkx", Real<T>>;
template <typename T>
constexpr auto trsm =
    forward<"trsm_v2", T, Side, Fill, int, int, Size, Size, const T *, const T *, Size, T *, Size>;
template <typename T>
constexpr auto trmm = forward<"trmm_v2", T, Side, Fill, int, int, Size, Size, const T *, const T *,
                              Size, const T *, Size, T *, Size>;

// A packed triangle is spread, since BLAS multiplies no packed matrix with a matrix.
template <typename T>
Status spmm(void *handle, Side side, Fill fill, Size m, Size n, const T *alpha, const T *packed,
            const T *b, Size ldb, const T *beta, T *c, Size ldc) {
  if (!contexts().find(handle))
    return cublas::notInitialized;
  if (!cublas::isValid(side) || !cublas::isValid(fill))
    return cublas::invalidValue;
  if (m > INT_MAX || n > INT_MAX)
    return cublas::notSupported;
  Size order = side == Side::left ? m : n;
  std::vector<T> full(order * order);
  const T *next = packed;
  for (Size column = 0; column < order; ++column) {
    Size first = fill == Fill::upper ? 0 : column, end = fill == Fill::upper ? column + 1 : order;
    for (Size row = first; row < end; ++row)
      full[column * order + row] = *next++;
  }
  return symm<T>(handle, side, fill, m, n, alpha, full.data(), std::max<Size>(order, 1), b, ldb,
                 beta, c, ldc);
}

std::span<const HostFunction> functions() {
  static const HostFunction rows[] = {
      CUFRT_ROW("cublasXtCreate", create),
      CUFRT_ROW("cublasXtDestroy", destroy),
      CUFRT_ROW("cublasXtMaxBoards", maxBoards),
      CUFRT_ROW("cublasXtGetNumBoards", numBoards),
      CUFRT_ROW("cublasXtDeviceSelect", deviceSelect),
      CUFRT_ROW("cublasXtSetBlockDim", (set<&Context::tile, 1, INT_MAX>)),
      CUFRT_ROW("cublasXtGetBlockDim", (get<&Context::tile>)),
      CUFRT_ROW("cublasXtSetPinningMemMode", (set<&Context::pinning, 0, 1>)),
      CUFRT_ROW("cublasXtGetPinningMemMode", (get<&Context::pinning>)),
      CUFRT_ROW("cublasXtSetCpuRatio", setCpuRatio),
      CUFRT_ALL("cublasXt", "gemm", *gemm),
      CUFRT_ALL("cublasXt", "symm", *symm),
      CUFRT_COMPLEX("cublasXt", "hemm", *hemm),
      CUFRT_ALL("cublasXt", "syrk", *syrk),
      CUFRT_COMPLEX("cublasXt", "herk", *herk),
      CUFRT_ALL("cublasXt", "syr2k", *syr2k),
      CUFRT_COMPLEX("cublasXt", "her2k", *her2k),
      CUFRT_ALL("cublasXt", "syrkx", *syrkx),
      CUFRT_COMPLEX("cublasXt", "herkx", *herkx),
      CUFRT_ALL("cublasXt", "trsm", *trsm),
      CUFRT_ALL("cublasXt", "trmm", *trmm),
      CUFRT_ALL("cublasXt", "spmm", spmm),
  };
  return rows;
}

} // namespace
} // namespace cufrt::libraries::cublasxt

void *cufrt::cublasxt::hostFunction(const char *name) {
  return libraries::findFunction("cublasxt", name, {libraries::cublasxt::functions()});
}
