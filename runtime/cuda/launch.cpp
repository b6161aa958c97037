// Launches on the GPU. What the device cannot take is not checked twice: a configuration that fits
// the C types goes to libcudart, which leaves its verdict in the last error.
#include "core/module_registry.h"
#include "cuda/back_end.h"
#include "cuda/host_runtime.h"

#include <algorithm>
#include <climits>
#include <cstdio>

namespace cufrt::cuda {
namespace {

// flang passes -1 for the `*` of `<<<*, block>>>`: as many blocks as run at the same time.
constexpr int64_t asManyAsFit = -1;

bool fits(const int64_t (&dimensions)[3]) {
  for (int64_t dimension : dimensions)
    if (dimension < 0 || dimension > INT_MAX)
      return false;
  return true;
}

dim3 toDim3(const int64_t (&dimensions)[3]) {
  return dim3(static_cast<unsigned>(dimensions[0]), static_cast<unsigned>(dimensions[1]),
              static_cast<unsigned>(dimensions[2]));
}

// Puts cudaErrorInvalidConfiguration into libcudart's last error, which only libcudart can: by a
// launch of no blocks.
cudaError_t refuse(const Launch &launch) {
  return cudaLaunchKernel(launch.stub, dim3(0, 0, 0), dim3(1, 1, 1), launch.arguments, 0, nullptr);
}

bool hasCluster(const Launch &launch) {
  return launch.cluster[0] || launch.cluster[1] || launch.cluster[2];
}

// Of a launch with clusters; refers to `attributes`.
cudaLaunchConfig_t configurationOf(const Launch &launch, cudaLaunchAttribute (&attributes)[2]) {
  dim3 cluster = toDim3(launch.cluster);
  attributes[0].id = cudaLaunchAttributeClusterDimension;
  attributes[0].val.clusterDim.x = cluster.x;
  attributes[0].val.clusterDim.y = cluster.y;
  attributes[0].val.clusterDim.z = cluster.z;
  attributes[1].id = cudaLaunchAttributeCooperative;
  attributes[1].val.cooperative = 1;
  cudaLaunchConfig_t configuration{};
  configuration.gridDim = toDim3(launch.grid);
  configuration.blockDim = toDim3(launch.block);
  configuration.dynamicSmemBytes = launch.dynamicSharedBytes;
  configuration.stream = static_cast<cudaStream_t>(launch.stream);
  configuration.attrs = attributes;
  configuration.numAttrs = launch.cooperative ? 2 : 1;
  return configuration;
}

// Clusters do not fit into every group of multiprocessors, so fewer blocks run than without.
cudaError_t residentClusterBlocks(const Launch &launch, int64_t &blocks) {
  cudaLaunchAttribute attributes[2]{};
  cudaLaunchConfig_t configuration = configurationOf(launch, attributes);
  configuration.gridDim = toDim3(launch.cluster);
  int clusters = 0;
  cudaError_t error = cudaOccupancyMaxActiveClusters(&clusters, launch.stub, &configuration);
  blocks = clusters * launch.cluster[0] * launch.cluster[1] * launch.cluster[2];
  return error;
}

cudaError_t residentBlocks(const Launch &launch, int64_t &blocks) {
  if (hasCluster(launch))
    return residentClusterBlocks(launch, blocks);
  int device = 0, multiprocessors = 0, blocksOfOne = 0;
  int threads = static_cast<int>(launch.block[0] * launch.block[1] * launch.block[2]);
  cudaError_t error = cudaGetDevice(&device);
  if (error == cudaSuccess)
    error = cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  if (error == cudaSuccess)
    error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocksOfOne, launch.stub, threads,
                                                          launch.dynamicSharedBytes);
  blocks = static_cast<int64_t>(multiprocessors) * blocksOfOne;
  return error;
}

cudaError_t chooseGrid(Launch &launch) {
  for (int i = 0; i < 3; ++i) {
    int64_t &dimension = launch.grid[i];
    if (dimension != asManyAsFit)
      continue;
    dimension = 1;
    int64_t others = launch.grid[0] * launch.grid[1] * launch.grid[2], blocks = 0;
    cudaError_t error = residentBlocks(launch, blocks);
    if (error != cudaSuccess)
      return error;
    int64_t unit = launch.cluster[i] > 0 ? launch.cluster[i] : 1; // a whole number of clusters
    dimension = others > 0 ? std::max(unit, blocks / others / unit * unit) : unit;
  }
  return cudaSuccess;
}

cudaError_t launchCluster(const Launch &launch) {
  cudaLaunchAttribute attributes[2]{};
  cudaLaunchConfig_t configuration = configurationOf(launch, attributes);
  return cudaLaunchKernelExC(&configuration, launch.stub, launch.arguments);
}

cudaError_t launchAny(const Launch &launch) {
  auto stream = static_cast<cudaStream_t>(launch.stream);
  if (hasCluster(launch))
    return launchCluster(launch);
  if (launch.cooperative)
    return cudaLaunchCooperativeKernel(launch.stub, toDim3(launch.grid), toDim3(launch.block),
                                       launch.arguments, launch.dynamicSharedBytes, stream);
  return cudaLaunchKernel(launch.stub, toDim3(launch.grid), toDim3(launch.block), launch.arguments,
                          launch.dynamicSharedBytes, stream);
}

// Programs that never ask for errors would silently compute nothing, so this one is said.
void sayNoCode(const Launch &launch) {
  const cufrt_kernel *kernel = findKernel(launch.stub);
  int device = 0, major = 0, minor = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
  cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device);
  std::fprintf(stderr,
               "cufrt: kernel %s has no code for this GPU (cc%d%d); compile with -gpu=cc%d%d\n",
               kernel ? kernel->display : "(unknown)", major, minor, major, minor);
}

cudaError_t tryLaunch(Launch &launch) {
  cudaError_t error = fits(launch.block) ? chooseGrid(launch) : cudaSuccess;
  if (error != cudaSuccess)
    return error;
  bool possible = fits(launch.block) && fits(launch.grid) && fits(launch.cluster);
  return possible ? launchAny(launch) : refuse(launch);
}

} // namespace

Error launch(const Launch &asked) {
  prepareHeap();
  Launch launch = asked;
  PackedArguments storage;
  takePackedEntry(launch, storage);
  cudaError_t error = tryLaunch(launch);
  // The entries may need different numbers of registers.
  if (error == cudaErrorLaunchOutOfResources && launch.stub != asked.stub) {
    cudaGetLastError();
    launch = asked;
    error = tryLaunch(launch);
  }
  if (error == cudaErrorNoKernelImageForDevice)
    sayNoCode(asked);
  return error;
}

} // namespace cufrt::cuda

extern "C" cufrt::Error cufrt_cuda_pop_configuration(cufrt::Launch *launch) {
  dim3 grid, block;
  cudaError_t error =
      __cudaPopCallConfiguration(&grid, &block, &launch->dynamicSharedBytes, &launch->stream);
  launch->grid[0] = grid.x, launch->grid[1] = grid.y, launch->grid[2] = grid.z;
  launch->block[0] = block.x, launch->block[1] = block.y, launch->block[2] = block.z;
  return error;
}
