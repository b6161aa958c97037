// Launches on the host device: the checks that a GPU makes, with its error codes, and then the run.
#include "core/module_registry.h"
#include "core/settings.h"
#include "host/capture.h"
#include "host/error_state.h"
#include "host/grid_run.h"
#include "host/kernels.h"
#include "host/limits.h"

#include <algorithm>
#include <cstdio>

namespace cufrt::host {
namespace {

constexpr Error errorCooperativeLaunchTooLarge = 720, errorInvalidClusterSize = 912;

// flang passes -1 for the `*` of `<<<*, block>>>`: as many blocks as run at the same time.
constexpr int64_t asManyAsFit = -1;

bool within(const int64_t (&dimensions)[3], const int64_t (&limits)[3]) {
  for (int i = 0; i < 3; ++i)
    if (dimensions[i] < 1 || dimensions[i] > limits[i])
      return false;
  return true;
}

int64_t product(const int64_t (&dimensions)[3]) {
  return dimensions[0] * dimensions[1] * dimensions[2];
}

int64_t residentBlocks(int64_t threads) {
  return settings().hostThreads * std::max<int64_t>(1, maxThreadsPerMultiprocessor / threads);
}

// Blocks that wait for each other need no core each: as many as the largest GPUs hold may.
int64_t mostCooperativeBlocks(int64_t threads) {
  constexpr int64_t multiprocessors = 160;
  return std::max(residentBlocks(threads),
                  multiprocessors * std::max<int64_t>(1, maxThreadsPerMultiprocessor / threads));
}

bool hasCluster(const Launch &launch) {
  return launch.cluster[0] || launch.cluster[1] || launch.cluster[2];
}

void chooseGrid(Launch &launch) {
  for (int i = 0; i < 3; ++i) {
    int64_t &dimension = launch.grid[i];
    if (dimension != asManyAsFit)
      continue;
    dimension = 1;
    int64_t others = std::max<int64_t>(1, product(launch.grid));
    int64_t blocks = residentBlocks(product(launch.block)) / others;
    int64_t unit = hasCluster(launch) ? std::max<int64_t>(1, launch.cluster[i]) : 1;
    dimension = std::max(unit, blocks / unit * unit);
  }
}

Error checkCluster(const Launch &launch, const cufrt_kernel &kernel) {
  if (!hasCluster(launch))
    return success;
  for (int i = 0; i < 3; ++i)
    if (launch.cluster[i] < 1 || launch.grid[i] % launch.cluster[i] != 0)
      return errorInvalidConfiguration;
  int64_t limit = kernel.max_cluster_blocks ? kernel.max_cluster_blocks : maxClusterBlocks;
  return product(launch.cluster) > limit ? errorInvalidClusterSize : success;
}

Error checkConfiguration(const Launch &launch, const cufrt_kernel &kernel) {
  if (!within(launch.grid, maxGrid))
    return errorInvalidConfiguration;
  if (product(launch.block) > kernel.max_threads)
    return errorLaunchOutOfResources;
  if (launch.dynamicSharedBytes > dynamicSharedLimit(kernel))
    return errorInvalidValue;
  if (Error error = checkCluster(launch, kernel))
    return error;
  if (launch.cooperative && product(launch.grid) > mostCooperativeBlocks(product(launch.block)))
    return errorCooperativeLaunchTooLarge;
  return success;
}

Error checkCode(const cufrt_kernel &kernel) {
  if (kernel.run_block || kernel.resume_thread)
    return success;
  std::fprintf(
      stderr,
      "cufrt: kernel %s has no code for the CPU: it was compiled for GPUs only, or it uses "
      "device code of other files and was not linked by cufc\n",
      kernel.display);
  return errorInvalidDeviceFunction;
}

// Thread indices of a block, for kernels whose threads run one by one.
std::vector<ThreadIndex> threadIndices(const cufrt_block &block) {
  std::vector<ThreadIndex> indices;
  for (int32_t z = 0; z < block.block_dim[2]; ++z)
    for (int32_t y = 0; y < block.block_dim[1]; ++y)
      for (int32_t x = 0; x < block.block_dim[0]; ++x)
        indices.push_back({x, y, z});
  return indices;
}

Grid makeGrid(const Launch &launch, const cufrt_kernel &kernel) {
  Grid grid{};
  grid.kernel = &kernel;
  grid.arguments = launch.arguments;
  for (int i = 0; i < 3; ++i) {
    grid.block.grid_dim[i] = static_cast<int32_t>(launch.grid[i]);
    grid.block.block_dim[i] = static_cast<int32_t>(launch.block[i]);
    grid.block.cluster_dim[i] = hasCluster(launch) ? static_cast<int32_t>(launch.cluster[i]) : 1;
  }
  grid.clusterBlocks =
      grid.block.cluster_dim[0] * grid.block.cluster_dim[1] * grid.block.cluster_dim[2];
  grid.block.dynamic_shared_bytes = static_cast<int32_t>(launch.dynamicSharedBytes);
  grid.sharedBytes = launch.dynamicSharedBytes + kernel.static_shared_bytes;
  grid.blocks = product(launch.grid);
  grid.threads = static_cast<int>(product(launch.block));
  grid.runsBlocks = kernel.run_block && (!(kernel.flags & CUFRT_WHOLE_WARPS) ||
                                         grid.block.block_dim[0] % warpSize == 0);
  if (!grid.runsBlocks || kernel.fits_block)
    grid.threadIndex = threadIndices(grid.block);
  return grid;
}

Error run(const Launch &launch, const cufrt_kernel &kernel) {
  Grid grid = makeGrid(launch, kernel);
  Error error = launch.cooperative ? runCooperativeGrid(grid) : runGrid(grid);
  // The launch itself went well; it is the device that is spoiled, as every later call will say.
  if (error != success)
    setStickyError(error);
  return success;
}

// A launch that owns the values of its arguments, for graphs.
class StoredLaunch {
public:
  StoredLaunch(const Launch &launch, const cufrt_kernel &kernel) : launch(launch), kernel(&kernel) {
    for (int i = 0; i < kernel.argument_count; ++i) {
      auto *value = static_cast<const char *>(launch.arguments[i]);
      values.emplace_back(value, value + kernel.argument_bytes[i]);
    }
  }

  Error operator()() {
    std::vector<void *> addresses;
    for (std::vector<char> &value : values)
      addresses.push_back(value.data());
    launch.arguments = addresses.data();
    return run(launch, *kernel);
  }

private:
  Launch launch;
  const cufrt_kernel *kernel;
  std::vector<std::vector<char>> values;
};

} // namespace

Error launch(const Launch &asked) {
  const cufrt_kernel *kernel = findKernel(asked.stub);
  if (!kernel)
    return errorInvalidDeviceFunction;
  Launch launch = asked;
  if (!within(launch.block, maxBlock) || product(launch.block) > maxThreadsPerBlock)
    return errorInvalidConfiguration;
  chooseGrid(launch);
  if (Error error = checkConfiguration(launch, *kernel))
    return error;
  if (Error error = checkCode(*kernel))
    return error;
  Route route;
  if (Error error = routeOf(launch.stream, route))
    return error;
  if (route == Route::run)
    return run(launch, *kernel);
  return record(launch.stream, NodeType::kernel, StoredLaunch(launch, *kernel));
}

} // namespace cufrt::host
