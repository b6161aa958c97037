// type(cudaDeviceProp) of a GPU and type(cudaFuncAttributes) of a kernel. libcudart's own structure
// of properties changes with the toolkit, so only names and the size of the memory come from it;
// the rest are attributes (cufrt/attributes.def).
#include "cuda/back_end.h"
#include "cufrt/device_properties.h"

#include <cuda_runtime_api.h>

#include <cstring>

namespace cufrt::cuda {
namespace {

void setName(DeviceProperties &properties, const char *name) {
  size_t length = strnlen(name, sizeof properties.name);
  std::memcpy(properties.name, name, length);
  std::memset(properties.name + length, ' ', sizeof properties.name - length);
}

// An attribute that an older toolkit does not know is 0, and no error of the program.
int attribute(int number, int device) {
  int value = 0;
  if (cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(number), device) == cudaSuccess)
    return value;
  cudaGetLastError();
  return 0;
}

} // namespace

Error getProperties(DeviceProperties &properties, int device) {
  cudaDeviceProp theirs;
  cudaError_t error = cudaGetDeviceProperties(&theirs, device);
  if (error != cudaSuccess)
    return error;
  std::memset(static_cast<void *>(&properties), 0, sizeof properties);
  setName(properties, theirs.name);
  properties.totalGlobalMem = static_cast<int64_t>(theirs.totalGlobalMem);
#define CUFRT_ATTRIBUTE(number, component) properties.component = attribute(number, device);
#include "cufrt/attributes.def"
#undef CUFRT_ATTRIBUTE
  static_assert(sizeof theirs.uuid == sizeof properties.uuid);
  std::memcpy(properties.uuid, &theirs.uuid, sizeof properties.uuid);
  return success;
}

Error getFunctionAttributes(FunctionAttributes &attributes, const void *stub) {
  cudaFuncAttributes theirs;
  cudaError_t error = cudaFuncGetAttributes(&theirs, stub);
  if (error != cudaSuccess)
    return error;
  attributes.sharedSizeBytes = static_cast<int64_t>(theirs.sharedSizeBytes);
  attributes.constSizeBytes = static_cast<int64_t>(theirs.constSizeBytes);
  attributes.localSizeBytes = static_cast<int64_t>(theirs.localSizeBytes);
  attributes.maxThreadsPerBlock = theirs.maxThreadsPerBlock;
  attributes.numRegs = theirs.numRegs;
  attributes.ptxVersion = theirs.ptxVersion;
  attributes.binaryVersion = theirs.binaryVersion;
  attributes.cacheModeCA = theirs.cacheModeCA;
  attributes.maxDynamicSharedSizeBytes = theirs.maxDynamicSharedSizeBytes;
  attributes.preferredShmemCarveout = theirs.preferredShmemCarveout;
  return success;
}

} // namespace cufrt::cuda
