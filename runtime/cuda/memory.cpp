// Functions about memory whose C signatures or structures differ between CUDA 12 and 13.
#include "cuda/back_end.h"

#include <cuda_runtime_api.h>

namespace cufrt::cuda {

static_assert(sizeof(BlockCopy) == sizeof(cudaMemcpy3DParms) &&
              offsetof(BlockCopy, kind) == offsetof(cudaMemcpy3DParms, kind));
static_assert(sizeof(PitchedPointer) == sizeof(cudaPitchedPtr));
static_assert(sizeof(ChannelFormat) == sizeof(cudaChannelFormatDesc));
static_assert(sizeof(Extent) == sizeof(cudaExtent));

Error pointerAttributes(PointerAttributes &attributes, const void *pointer) {
  cudaPointerAttributes theirs;
  cudaError_t error = cudaPointerGetAttributes(&theirs, pointer);
  if (error == cudaSuccess)
    attributes = {theirs.type, theirs.device, theirs.devicePointer, theirs.hostPointer};
  return error;
}

#if CUDART_VERSION >= 13000
namespace {

cudaMemLocation locationOf(int device) {
  return {device == cpuDevice ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice,
          device == cpuDevice ? 0 : device};
}

} // namespace

Error prefetch(const void *pointer, size_t bytes, int device, void *stream) {
  return cudaMemPrefetchAsync(pointer, bytes, locationOf(device), 0,
                              static_cast<cudaStream_t>(stream));
}

Error advise(const void *pointer, size_t bytes, int advice, int device) {
  return cudaMemAdvise(pointer, bytes, static_cast<cudaMemoryAdvise>(advice), locationOf(device));
}
#else
Error prefetch(const void *pointer, size_t bytes, int device, void *stream) {
  return cudaMemPrefetchAsync(pointer, bytes, device, static_cast<cudaStream_t>(stream));
}

Error advise(const void *pointer, size_t bytes, int advice, int device) {
  return cudaMemAdvise(pointer, bytes, static_cast<cudaMemoryAdvise>(advice), device);
}
#endif

} // namespace cufrt::cuda
