// See older.h. Handles of a thread are freed by cublasShutdown, or with the process.
#include "libraries/cublas/older.h"
#include "cufrt/device.h"
#include "libraries/cublas.h"
#include "libraries/cublas_v2.h"
#include "libraries/descriptors.h"

#include <unordered_map>

namespace cufrt::libraries {
namespace {

constexpr int allocationFailed = 3, refused = -1;

thread_local std::unordered_map<int, void *> handles; // by device
thread_local int firstError = 0;

int among(char letter, const char *letters) {
  for (int i = 0; letters[i]; ++i)
    if ((letter | 0x20) == letters[i])
      return i;
  return refused;
}

} // namespace

void keepStatus(int status) {
  if (!firstError)
    firstError = status;
}

void *olderHandle() {
  int device = 0;
  api().cudaGetDevice(&device);
  void *&handle = handles[device];
  if (!handle)
    keepStatus(cufrt_lib_cublasCreate_v2(&handle));
  return handle;
}

int operationOf(char letter) { return among(letter, "ntc"); }
int fillOf(char letter) { return among(letter, "lu"); }
int sideOf(char letter) { return among(letter, "lr"); }
int diagonalOf(char letter) { return among(letter, "nu"); }

} // namespace cufrt::libraries

using namespace cufrt;
using namespace cufrt::libraries;

extern "C" int cufrt_lib_cublasInit() { return olderHandle() ? 0 : 1; }

extern "C" int cufrt_lib_cublasShutdown() {
  int status = 0;
  for (auto [device, handle] : handles)
    status = status ? status : cufrt_lib_cublasDestroy_v2(handle);
  handles.clear();
  return status;
}

extern "C" int cufrt_lib_cublasGetError() {
  int error = firstError;
  firstError = 0;
  return error;
}

extern "C" void *cufrt_lib_cublasGetHandle() { return olderHandle(); }

extern "C" int cufrt_lib_cublasSetKernelStream(void *stream) {
  return cufrt_lib_cublasSetStream_v2(olderHandle(), stream);
}

extern "C" int cufrt_lib_cublasAlloc(int n, int elemsize, void **deviceptr) {
  if (n < 0 || elemsize <= 0)
    return invalidValue;
  size_t bytes = static_cast<size_t>(n) * static_cast<size_t>(elemsize);
  return api().cudaMalloc(deviceptr, bytes) == success ? 0 : allocationFailed;
}

extern "C" int cufrt_lib_cublasFree(void *deviceptr) {
  return api().cudaFree(deviceptr) == success ? 0 : invalidValue;
}
