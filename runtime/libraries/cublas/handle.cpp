// Handles and what is set on them, and copies between host and device in the library's names.
#include "libraries/cublas/cublas.h"

#include <cstring>

namespace cufrt::libraries::cublas {

LiveObjects<Context> &contexts() {
  static auto *instance = new LiveObjects<Context>;
  return *instance;
}

namespace {

Status create(void **handle) {
  if (!handle)
    return invalidValue;
  fortranRoutine("dgemm_"); // says at once if there is none
  *handle = contexts().create();
  return ok;
}

Status destroy(void *handle) { return contexts().destroy(handle) ? ok : notInitialized; }

// Of the library that the interfaces describe.
constexpr int versionNumber = 130000;

Status getVersion(void *handle, int *version) {
  if (!contexts().find(handle))
    return notInitialized;
  if (!version)
    return invalidValue;
  *version = versionNumber;
  return ok;
}

Status getProperty(int type, int *value) {
  if (!value || type < 0 || type > 2)
    return invalidValue;
  const int parts[] = {versionNumber / 10000, versionNumber / 100 % 100, versionNumber % 100};
  *value = parts[type];
  return ok;
}

Status setStream(void *handle, void *stream) {
  Context *context = contexts().find(handle);
  if (!context)
    return notInitialized;
  if (!host::isStream(stream))
    return invalidValue;
  context->stream = stream;
  return ok;
}

template <typename Value, auto member>
Status get(void *handle, Value *value) {
  Context *context = contexts().find(handle);
  if (!context)
    return notInitialized;
  if (!value)
    return invalidValue;
  *value = static_cast<Value>(context->*member);
  return ok;
}

template <auto member, int most>
Status set(void *handle, int value) {
  Context *context = contexts().find(handle);
  if (!context)
    return notInitialized;
  if (value < 0 || value > most)
    return invalidValue;
  context->*member = static_cast<std::remove_reference_t<decltype(context->*member)>>(value);
  return ok;
}

Status setWorkspace(void *handle, void *workspace, size_t) {
  Context *context = contexts().find(handle);
  if (!context)
    return notInitialized;
  context->workspace = workspace;
  return ok;
}

const char *statusName(int status) {
  switch (status) {
  case 0:
    return "CUBLAS_STATUS_SUCCESS";
  case 1:
    return "CUBLAS_STATUS_NOT_INITIALIZED";
  case 3:
    return "CUBLAS_STATUS_ALLOC_FAILED";
  case 7:
    return "CUBLAS_STATUS_INVALID_VALUE";
  case 8:
    return "CUBLAS_STATUS_ARCH_MISMATCH";
  case 11:
    return "CUBLAS_STATUS_MAPPING_ERROR";
  case 13:
    return "CUBLAS_STATUS_EXECUTION_FAILED";
  case 14:
    return "CUBLAS_STATUS_INTERNAL_ERROR";
  case 15:
    return "CUBLAS_STATUS_NOT_SUPPORTED";
  case 16:
    return "CUBLAS_STATUS_LICENSE_ERROR";
  default:
    return "CUBLAS_STATUS_UNKNOWN";
  }
}

const char *statusString(int status) {
  switch (status) {
  case 0:
    return "success";
  case 1:
    return "the handle was not created, or was destroyed";
  case 3:
    return "no memory for the library's own data";
  case 7:
    return "an argument is out of its range";
  case 8:
    return "the device lacks a feature that the routine needs";
  case 11:
    return "memory of the device could not be accessed";
  case 13:
    return "work on the device failed";
  case 14:
    return "an operation inside the library failed";
  case 15:
    return "the routine does not support these arguments";
  case 16:
    return "a licence is missing";
  default:
    return "unknown status";
  }
}

Error copyColumns(int rows, int columns, int bytes, const void *from, int64_t fromStride, void *to,
                  int64_t toStride) {
  for (int64_t column = 0; column < columns; ++column)
    std::memcpy(static_cast<char *>(to) + column * toStride * bytes,
                static_cast<const char *>(from) + column * fromStride * bytes,
                static_cast<size_t>(rows) * static_cast<size_t>(bytes));
  return success;
}

Status copyMatrixAsync(int rows, int columns, int bytes, const void *a, int lda, void *b, int ldb,
                       void *stream) {
  if (rows < 0 || columns < 0 || bytes <= 0 || !fits(lda, rows) || !fits(ldb, rows))
    return invalidValue;
  return statusOf(runInStream(stream, [=] { copyColumns(rows, columns, bytes, a, lda, b, ldb); }));
}

Status copyMatrix(int rows, int columns, int bytes, const void *a, int lda, void *b, int ldb) {
  return copyMatrixAsync(rows, columns, bytes, a, lda, b, ldb, nullptr);
}

Status copyVectorAsync(int n, int bytes, const void *x, int incx, void *y, int incy, void *stream) {
  if (n < 0 || bytes <= 0 || incx <= 0 || incy <= 0)
    return invalidValue;
  return statusOf(runInStream(stream, [=] { copyColumns(1, n, bytes, x, incx, y, incy); }));
}

Status copyVector(int n, int bytes, const void *x, int incx, void *y, int incy) {
  return copyVectorAsync(n, bytes, x, incx, y, incy, nullptr);
}

// The library of the host device tells nothing of itself.
Status configureLog(int, int, int, const char *) { return ok; }

} // namespace

std::span<const HostFunction> helpers() {
  static const HostFunction rows[] = {
      CUFRT_ROW("cublasCreate_v2", create),
      CUFRT_ROW("cublasDestroy_v2", destroy),
      CUFRT_ROW("cublasGetVersion_v2", getVersion),
      CUFRT_ROW("cublasGetProperty", getProperty),
      CUFRT_ROW("cublasSetStream_v2", setStream),
      CUFRT_ROW("cublasGetStream_v2", (get<void *, &Context::stream>)),
      CUFRT_ROW("cublasGetPointerMode_v2", (get<int, &Context::scalarsOnDevice>)),
      CUFRT_ROW("cublasSetPointerMode_v2", (set<&Context::scalarsOnDevice, 1>)),
      CUFRT_ROW("cublasGetAtomicsMode", (get<int, &Context::atomics>)),
      CUFRT_ROW("cublasSetAtomicsMode", (set<&Context::atomics, 1>)),
      CUFRT_ROW("cublasGetMathMode", (get<int, &Context::math>)),
      CUFRT_ROW("cublasSetMathMode", (set<&Context::math, 31>)),
      CUFRT_ROW("cublasGetSmCountTarget", (get<int, &Context::multiprocessors>)),
      CUFRT_ROW("cublasSetSmCountTarget", (set<&Context::multiprocessors, 1 << 20>)),
      CUFRT_ROW("cublasLoggerConfigure", configureLog),
      CUFRT_ROW("cublasSetWorkspace_v2", setWorkspace),
      CUFRT_ROW("cublasGetStatusName", statusName),
      CUFRT_ROW("cublasGetStatusString", statusString),
      CUFRT_ROW("cublasSetMatrix", copyMatrix),
      CUFRT_ROW("cublasGetMatrix", copyMatrix),
      CUFRT_ROW("cublasSetMatrixAsync", copyMatrixAsync),
      CUFRT_ROW("cublasGetMatrixAsync", copyMatrixAsync),
      CUFRT_ROW("cublasSetVector", copyVector),
      CUFRT_ROW("cublasGetVector", copyVector),
      CUFRT_ROW("cublasSetVectorAsync", copyVectorAsync),
      CUFRT_ROW("cublasGetVectorAsync", copyVectorAsync),
  };
  return rows;
}

} // namespace cufrt::libraries::cublas
