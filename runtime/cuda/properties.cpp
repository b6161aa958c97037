// type(cudaDeviceProp) of a GPU. libcudart's own structure changes with the toolkit, so only the
// name and the size of the memory come from it; the rest are attributes (cufrt/attributes.def).
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

int attribute(int number, int device) {
  int value = 0;
  return cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(number), device) == cudaSuccess
             ? value
             : 0;
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
  return success;
}

} // namespace cufrt::cuda
