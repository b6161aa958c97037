// Attributes of kernels and their occupancy.
//
// The model of a multiprocessor: 2048 threads in warps of 32, 32 blocks, and 228 KiB of shared
// memory, of which each block takes what it declares, what its launch asks for and 1 KiB, rounded
// up to 128 bytes. Registers are not counted, since host code has none of the GPU's.
#include "host/kernels.h"
#include "core/module_registry.h"
#include "host/functions.h"
#include "host/limits.h"

#include <algorithm>
#include <mutex>
#include <unordered_map>

namespace cufrt::host {
namespace {

constexpr int maxDynamicShared = 8, preferredCarveout = 9; // cudaFuncAttribute
constexpr int clusterMustBeSet = 10, lastAttribute = 15;   // those of clusters lie between
constexpr int maxCacheConfig = 3, maxBankConfig = 2;
constexpr size_t sharedUnit = 128;

struct Choices {
  int64_t dynamicShared = -1; // -1: what the limit without opting in leaves
  int carveout = -1;
};

struct Table {
  std::mutex mutex;
  std::unordered_map<const void *, Choices> choices;
};

Table &table() {
  static Table *instance = new Table;
  return *instance;
}

Choices choicesOf(const cufrt_kernel &kernel) {
  std::lock_guard lock(table().mutex);
  auto found = table().choices.find(kernel.stub);
  return found == table().choices.end() ? Choices{} : found->second;
}

size_t withoutStatic(size_t limit, const cufrt_kernel &kernel) {
  return limit - std::min<size_t>(limit, kernel.static_shared_bytes);
}

int residentBlocks(const cufrt_kernel &kernel, int threads, size_t dynamicBytes) {
  if (threads > kernel.max_threads || dynamicBytes > dynamicSharedLimit(kernel))
    return 0;
  int warps = (threads + warpSize - 1) / warpSize;
  int byThreads = maxThreadsPerMultiprocessor / (warps * warpSize);
  size_t bytes = kernel.static_shared_bytes + dynamicBytes + reservedSharedBytes;
  size_t taken = (bytes + sharedUnit - 1) / sharedUnit * sharedUnit;
  int byShared = static_cast<int>(sharedBytesPerMultiprocessor / taken);
  return std::min({byThreads, byShared, maxBlocksPerMultiprocessor});
}

} // namespace

size_t dynamicSharedLimit(const cufrt_kernel &kernel) {
  int64_t chosen = choicesOf(kernel).dynamicShared;
  return chosen < 0 ? withoutStatic(maxSharedBytes, kernel) : static_cast<size_t>(chosen);
}

Error getFunctionAttributes(FunctionAttributes &attributes, const void *stub) {
  const cufrt_kernel *kernel = findKernel(stub);
  if (!kernel)
    return errorInvalidResourceHandle;
  attributes = {};
  attributes.sharedSizeBytes = static_cast<int64_t>(kernel->static_shared_bytes);
  attributes.maxThreadsPerBlock = kernel->max_threads;
  attributes.maxDynamicSharedSizeBytes = static_cast<int32_t>(dynamicSharedLimit(*kernel));
  attributes.preferredShmemCarveout = choicesOf(*kernel).carveout;
  return success;
}

Error cudaFuncSetAttribute(const void *stub, int attribute, int value) {
  const cufrt_kernel *kernel = findKernel(stub);
  if (!kernel)
    return errorInvalidResourceHandle;
  if (attribute >= clusterMustBeSet && attribute <= lastAttribute)
    return errorNotSupported; // the host device has no clusters
  std::lock_guard lock(table().mutex);
  if (attribute == maxDynamicShared && value >= 0 &&
      static_cast<size_t>(value) <= withoutStatic(maxSharedBytesOptin, *kernel)) {
    table().choices[stub].dynamicShared = value;
    return success;
  }
  if (attribute == preferredCarveout && value >= -1 && value <= 100) {
    table().choices[stub].carveout = value;
    return success;
  }
  return errorInvalidValue;
}

Error cudaFuncSetCacheConfig(const void *stub, int config) {
  if (!findKernel(stub))
    return errorInvalidResourceHandle;
  return config >= 0 && config <= maxCacheConfig ? success : errorInvalidValue;
}

Error cudaFuncSetSharedMemConfig(const void *stub, int config) {
  if (!findKernel(stub))
    return errorInvalidResourceHandle;
  return config >= 0 && config <= maxBankConfig ? success : errorInvalidValue;
}

Error cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *stub, int threads,
                                                    size_t dynamicBytes) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, stub, threads, dynamicBytes,
                                                                0);
}

Error cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *stub,
                                                             int threads, size_t dynamicBytes,
                                                             int flags) {
  const cufrt_kernel *kernel = findKernel(stub);
  if (!kernel)
    return errorInvalidResourceHandle;
  if (!blocks || threads < 1 || flags < 0 || flags > 1)
    return errorInvalidValue;
  *blocks = residentBlocks(*kernel, threads, dynamicBytes);
  return success;
}

Error cudaOccupancyAvailableDynamicSMemPerBlock(size_t *dynamicBytes, const void *stub, int blocks,
                                                int threads) {
  const cufrt_kernel *kernel = findKernel(stub);
  if (!kernel)
    return errorInvalidResourceHandle;
  if (!dynamicBytes || blocks < 1 || threads < 1 || blocks > residentBlocks(*kernel, threads, 0))
    return errorInvalidValue;
  size_t share =
      sharedBytesPerMultiprocessor / static_cast<size_t>(blocks) / sharedUnit * sharedUnit;
  size_t own = kernel->static_shared_bytes + reservedSharedBytes;
  *dynamicBytes = std::min(share - own, withoutStatic(maxSharedBytesOptin, *kernel));
  return success;
}

} // namespace cufrt::host
