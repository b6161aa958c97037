// Kernel launches, from flang's entry points (flang/Runtime/CUDA/kernel.h) and from the stubs that
// CUDA C calls. Errors are left in the runtime's last error, as with chevrons in CUDA C.
#include "core/default_stream.h"
#include "core/device_output.h"
#include "core/launch_configuration.h"
#include "core/launch_count.h"
#include "cufrt/device.h"

namespace cufrt {

void (*beforeLaunch)() = nullptr;

namespace {

struct Dimensions {
  intptr_t x, y, z;
};

Launch makeLaunch(const void *stub, Dimensions grid, Dimensions block, const int64_t *stream,
                  int32_t sharedBytes, void **arguments) {
  if (beforeLaunch)
    beforeLaunch();
  launchCount.fetch_add(1, std::memory_order_relaxed);
  Launch launch{};
  launch.stub = stub;
  launch.grid[0] = grid.x, launch.grid[1] = grid.y, launch.grid[2] = grid.z;
  launch.block[0] = block.x, launch.block[1] = block.y, launch.block[2] = block.z;
  // A negative amount becomes one that no device has.
  launch.dynamicSharedBytes = static_cast<size_t>(sharedBytes);
  launch.stream = stream ? reinterpret_cast<void *>(*stream) : threadStream();
  launch.arguments = arguments;
  return launch;
}

} // namespace
} // namespace cufrt

using namespace cufrt;

// What a kernel gets for the descriptor of an optional argument that is not there. It has no
// version.
extern "C" const void *cufrt_absent_descriptor() {
  alignas(8) static const char zeros[1024] = {}; // more than one of 15 dimensions has
  return zeros;
}

extern "C" void _FortranACUFLaunchKernel(const void *stub, intptr_t gridX, intptr_t gridY,
                                         intptr_t gridZ, intptr_t blockX, intptr_t blockY,
                                         intptr_t blockZ, int64_t *stream, int32_t sharedBytes,
                                         void **arguments, void **) {
  api().launch(makeLaunch(stub, {gridX, gridY, gridZ}, {blockX, blockY, blockZ}, stream,
                          sharedBytes, arguments));
}

extern "C" void _FortranACUFLaunchClusterKernel(const void *stub, intptr_t clusterX,
                                                intptr_t clusterY, intptr_t clusterZ,
                                                intptr_t gridX, intptr_t gridY, intptr_t gridZ,
                                                intptr_t blockX, intptr_t blockY, intptr_t blockZ,
                                                int64_t *stream, int32_t sharedBytes,
                                                void **arguments, void **) {
  Launch launch = makeLaunch(stub, {gridX, gridY, gridZ}, {blockX, blockY, blockZ}, stream,
                             sharedBytes, arguments);
  launch.cluster[0] = clusterX, launch.cluster[1] = clusterY, launch.cluster[2] = clusterZ;
  api().launch(launch);
}

// Beside flang's: a kernel with clusters that waits for its grid.
extern "C" void cufrt_launch_cooperative_cluster(const void *stub, intptr_t clusterX,
                                                 intptr_t clusterY, intptr_t clusterZ,
                                                 intptr_t gridX, intptr_t gridY, intptr_t gridZ,
                                                 intptr_t blockX, intptr_t blockY, intptr_t blockZ,
                                                 int64_t *stream, int32_t sharedBytes,
                                                 void **arguments, void **) {
  Launch launch = makeLaunch(stub, {gridX, gridY, gridZ}, {blockX, blockY, blockZ}, stream,
                             sharedBytes, arguments);
  launch.cluster[0] = clusterX, launch.cluster[1] = clusterY, launch.cluster[2] = clusterZ;
  launch.cooperative = true;
  api().launch(launch);
}

extern "C" void _FortranACUFLaunchCooperativeKernel(const void *stub, intptr_t gridX,
                                                    intptr_t gridY, intptr_t gridZ, intptr_t blockX,
                                                    intptr_t blockY, intptr_t blockZ,
                                                    int64_t *stream, int32_t sharedBytes,
                                                    void **arguments, void **) {
  Launch launch = makeLaunch(stub, {gridX, gridY, gridZ}, {blockX, blockY, blockZ}, stream,
                             sharedBytes, arguments);
  launch.cooperative = true;
  api().launch(launch);
}

// Chevrons of nvcc push their configuration into libcudart, so without it nobody calls this.
extern "C" void cufrt_launch_stub(const void *stub, void **arguments) {
  launchCount.fetch_add(1, std::memory_order_relaxed);
  Launch launch{};
  launch.stub = stub;
  launch.arguments = arguments;
  if (!cufrt_cuda_pop_configuration || cufrt_cuda_pop_configuration(&launch) != success)
    fatal(nullptr, 0, "a kernel was called like a procedure, without a launch configuration");
  api().launch(launch);
}
