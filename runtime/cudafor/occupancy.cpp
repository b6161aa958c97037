// cudaOccupancyMaxPotentialBlockSize, which CUDA C has as a template in a header: of all block
// sizes that are multiples of a warp, the largest of those that keep most threads on a
// multiprocessor.
#include "cudafor/arguments.h"
#include "cudafor/entries.h"

#include <algorithm>

namespace cufrt::cudafor {
namespace {

constexpr int warpSizeAttribute = 10, multiprocessorsAttribute = 16; // cudaDeviceAttr

struct Device {
  int warpSize = 0, multiprocessors = 0;
};

Error describe(Device &device) {
  int number = 0;
  if (Error error = api().cudaGetDevice(&number))
    return error;
  if (Error error = api().cudaDeviceGetAttribute(&device.warpSize, warpSizeAttribute, number))
    return error;
  return api().cudaDeviceGetAttribute(&device.multiprocessors, multiprocessorsAttribute, number);
}

struct Best {
  int threads = 0; // of a block
  int blocks = 0;  // of a multiprocessor
};

Error findBest(Best &best, const void *kernel, size_t dynamicBytes, int limit, int step) {
  int first = (limit + step - 1) / step * step;
  for (int size = first; size > 0; size -= step) {
    int threads = std::min(size, limit), blocks = 0;
    if (Error error = api().cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads,
                                                                          dynamicBytes))
      return error;
    if (blocks * threads > best.blocks * best.threads)
      best = {threads, blocks};
  }
  return success;
}

} // namespace
} // namespace cufrt::cudafor

using namespace cufrt::cudafor;

extern "C" int cufrt_f_cudaOccupancyMaxPotentialBlockSize(int *mingridsize, int *blocksize,
                                                          void *func,
                                                          const CFI_cdesc_t *dynamicsmemsize,
                                                          const int *blocksizelimit) {
  size_t dynamicBytes = 0;
  int asked = blocksizelimit ? *blocksizelimit : 0;
  if (!mingridsize || !blocksize || asked < 0 ||
      (dynamicsmemsize && !sizeValue(dynamicsmemsize, dynamicBytes)))
    return invalidValue();
  cufrt::FunctionAttributes attributes;
  Device device;
  if (cufrt::Error error = cufrt::api().getFunctionAttributes(attributes, func))
    return error;
  if (cufrt::Error error = describe(device))
    return error;
  int most = attributes.maxThreadsPerBlock;
  Best best;
  if (cufrt::Error error =
          findBest(best, func, dynamicBytes, asked ? std::min(asked, most) : most, device.warpSize))
    return error;
  *blocksize = best.threads;
  *mingridsize = best.blocks * device.multiprocessors;
  return cufrt::success;
}
