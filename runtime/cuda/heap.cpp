// The size of the device's heap, of which kernels take memory for local arrays whose size is known
// at run time alone and for temporaries. CUDA's default of 8 MB is 30 bytes for each thread that an
// H100 runs at a time. Only what has such kernels gets more ("CUDA C++ Programming Guide", "Dynamic
// Global Memory Allocation": the size is fixed when the first of them is loaded).
#include "cuda/back_end.h"

#include <algorithm>
#include <atomic>
#include <cuda_runtime_api.h>

namespace cufrt::cuda {
namespace {

constexpr size_t defaultBytes = size_t(8) << 20, mostBytes = size_t(1) << 30;
constexpr size_t shareOfMemory = 64;
constexpr int mostDevices = 64;

std::atomic<bool> isWanted = false;
std::atomic<uint64_t> prepared = 0; // a bit for each device

// A size that the program has set itself stays.
void raise() {
  size_t now = 0, free = 0, total = 0;
  if (cudaDeviceGetLimit(&now, cudaLimitMallocHeapSize) == cudaSuccess && now == defaultBytes &&
      cudaMemGetInfo(&free, &total) == cudaSuccess)
    cudaDeviceSetLimit(cudaLimitMallocHeapSize,
                       std::clamp(total / shareOfMemory, defaultBytes, mostBytes));
  cudaGetLastError(); // too late, or in use: kernels say themselves what they lack
}

} // namespace

void wantHeap() { isWanted = true; }

void prepareHeap() {
  int device = 0;
  if (!isWanted.load(std::memory_order_relaxed) || cudaGetDevice(&device) != cudaSuccess ||
      device >= mostDevices)
    return;
  uint64_t bit = uint64_t(1) << device;
  if (prepared.load(std::memory_order_relaxed) & bit || prepared.fetch_or(bit) & bit)
    return;
  cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
  cudaThreadExchangeStreamCaptureMode(&mode); // the launch may be one of a graph
  raise();
  cudaThreadExchangeStreamCaptureMode(&mode);
}

} // namespace cufrt::cuda
