// The occupancy calculator: against NVIDIA's cuda_occupancy.h for every GPU of the table where that
// header was found when this was built, and properties that hold without it.
#include "base/gpus.h"
#include "occupancy/calculator.h"
#include <algorithm>
#include <climits>
#include <gtest/gtest.h>

#ifdef CUFC_CUDA_OCCUPANCY
#include <cstring>
#include <cuda_occupancy.h>
#endif

namespace cufc {
namespace {

const GpuLimits &limits(int number) { return *findLimits(number); }

TEST(GpuTable, hasLimitsAndAChipForEveryGpu) {
  for (const Gpu &gpu : allGpus()) {
    const GpuLimits *found = findLimits(gpu.number);
    ASSERT_TRUE(found) << gpu.number;
    EXPECT_EQ(found->blockShared, gpu.sharedKilobytes << 10) << gpu.number;
    EXPECT_TRUE(chipOf(gpu.number)) << gpu.number;
  }
  for (const Chip &chip : allChips())
    EXPECT_TRUE(findLimits(chip.number)) << chip.name;
}

TEST(GpuTable, chipsByName) {
  EXPECT_EQ(findChip("h200")->multiprocessors, 132);
  EXPECT_EQ(findChip("RTX4090")->number, 89);
  EXPECT_FALSE(findChip("H2000"));
  EXPECT_FALSE(findChip(""));
}

TEST(Occupancy, whatLimits) {
  KernelResources kernel{40, 0, 1};
  Occupancy found = occupancyOf(limits(90), kernel, 256);
  EXPECT_EQ(found.blocks, 6);
  EXPECT_EQ(found.warps, 48);
  EXPECT_DOUBLE_EQ(found.share, 0.75);
  EXPECT_EQ(found.limitedBy, std::vector{Resource::Registers});
  EXPECT_EQ(reasonFor(limits(90), kernel, 256),
            "6 blocks of 256 threads give 48 of 64 warps: 40 registers a thread take 1280 of the "
            "65536 of a multiprocessor for each warp");
  EXPECT_EQ(occupancyOf(limits(90), {16, 0, 1}, 32).limitedBy, std::vector{Resource::Blocks});
  EXPECT_EQ(occupancyOf(limits(90), {16, 100 << 10, 1}, 128).limitedBy,
            std::vector{Resource::SharedMemory});
}

TEST(Occupancy, whatDoesNotFit) {
  EXPECT_EQ(occupancyOf(limits(90), {80, 0, 1}, 1024).blocks, 0);
  EXPECT_EQ(occupancyOf(limits(75), {32, 65 << 10, 1}, 32).blocks, 0);
  EXPECT_EQ(occupancyOf(limits(90), {32, 0, 1, 128}, 256).blocks, 0);
  EXPECT_EQ(occupancyOf(limits(90), {32, 0, 1}, 0).blocks, 0);
  EXPECT_EQ(occupancyOf(limits(90), {32, 0, 1}, 2048).blocks, 0);
  for (int size : {256, 1024, 2048})
    EXPECT_FALSE(reasonFor(limits(90), {80, 0, 1, 128}, size).empty());
}

TEST(Occupancy, changesSayWhatTheyGive) {
  std::vector<Change> changes = usefulChanges(limits(90), {40, 0, 1}, 256);
  ASSERT_FALSE(changes.empty());
  EXPECT_EQ(changes.front().text, "8 registers fewer: 75 % to 100 %");
  for (int registers : {16, 33, 40, 72, 255})
    for (std::int64_t bytes : {0, 1000, 30000, 90000})
      for (int size : {32, 96, 256, 1024})
        for (const Change &change : usefulChanges(limits(86), {registers, bytes, 1}, size)) {
          KernelResources other{registers, bytes, 1};
          int block = size;
          if (change.what == std::string("registers"))
            other.registers = static_cast<int>(change.to);
          else if (change.what == std::string("sharedBytes"))
            other.sharedBytes = change.to;
          else
            block = static_cast<int>(change.to);
          EXPECT_DOUBLE_EQ(occupancyOf(limits(86), other, block).share, change.after);
          EXPECT_NE(change.after, change.before);
        }
}

TEST(Occupancy, gridOnAChip) {
  Occupancy occupancy = occupancyOf(limits(90), {40, 0, 1}, 256);
  std::optional<GridFill> fill = gridFill(occupancy, 132, 1000);
  ASSERT_TRUE(fill);
  EXPECT_EQ(fill->blocksPerWave, 792);
  EXPECT_NEAR(fill->waves, 1.2626, 1e-4);
  EXPECT_NEAR(fill->lastWave, 0.2626, 1e-4);
  EXPECT_EQ(fill->idleMultiprocessors, 0);
  EXPECT_EQ(gridFill(occupancy, 132, 100)->idleMultiprocessors, 32);
  EXPECT_DOUBLE_EQ(gridFill(occupancy, 132, 792)->lastWave, 1);
  EXPECT_FALSE(gridFill(Occupancy(), 132, 100));
}

#ifdef CUFC_CUDA_OCCUPANCY

cudaOccDeviceProp properties(const GpuLimits &gpu) {
  cudaOccDeviceProp result;
  result.computeMajor = gpu.number / 10;
  result.computeMinor = gpu.number % 10;
  result.maxThreadsPerBlock = GpuLimits::blockThreads;
  result.maxThreadsPerMultiprocessor = gpu.threads;
  result.regsPerBlock = result.regsPerMultiprocessor = GpuLimits::registers;
  result.warpSize = GpuLimits::warpSize;
  result.sharedMemPerBlock = GpuLimits::plainShared;
  result.sharedMemPerMultiprocessor = static_cast<size_t>(gpu.sharedBytes);
  result.numSms = 1;
  result.sharedMemPerBlockOptin = static_cast<size_t>(gpu.blockShared);
  result.reservedSharedMemPerBlock = static_cast<size_t>(gpu.reserved);
  return result;
}

// A block with a part of its shared memory as dynamic one.
cudaOccFuncAttributes attributes(const KernelResources &kernel, size_t dynamic) {
  cudaOccFuncAttributes result;
  result.maxThreadsPerBlock = kernel.maxThreads;
  result.numRegs = kernel.registers;
  result.sharedSizeBytes = static_cast<size_t>(kernel.sharedBytes) - dynamic;
  result.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
  result.maxDynamicSharedSizeBytes = dynamic;
  result.numBlockBarriers = kernel.barriers;
  return result;
}

unsigned factorsOf(const Occupancy &occupancy) {
  static constexpr unsigned factors[] = {OCC_LIMIT_WARPS, OCC_LIMIT_REGISTERS,
                                         OCC_LIMIT_SHARED_MEMORY, OCC_LIMIT_BLOCKS,
                                         OCC_LIMIT_BARRIERS};
  unsigned result = 0;
  for (Resource resource : occupancy.limitedBy)
    result |= factors[static_cast<size_t>(resource)];
  return result;
}

// What launch_bounds forbid, the header leaves to the runtime.
void compare(const GpuLimits &gpu, const KernelResources &kernel, int size) {
  cudaOccDeviceProp device = properties(gpu);
  size_t dynamic = kernel.sharedBytes > GpuLimits::plainShared
                       ? static_cast<size_t>(kernel.sharedBytes - GpuLimits::plainShared)
                       : 0;
  cudaOccFuncAttributes function = attributes(kernel, dynamic);
  cudaOccDeviceState state;
  cudaOccResult wanted;
  std::memset(&wanted, 0, sizeof wanted);
  ASSERT_EQ(
      cudaOccMaxActiveBlocksPerMultiprocessor(&wanted, &device, &function, &state, size, dynamic),
      CUDA_OCC_SUCCESS);
  Occupancy found = occupancyOf(gpu, kernel, size);
  ASSERT_EQ(found.blocks, wanted.activeBlocksPerMultiprocessor)
      << gpu.name() << " registers " << kernel.registers << " shared " << kernel.sharedBytes
      << " barriers " << kernel.barriers << " block " << size;
  // Where barriers allow fewer blocks than all else, the header still names what else is least.
  if (wanted.limitingFactors & OCC_LIMIT_BARRIERS &&
      found.limitedBy == std::vector{Resource::Barriers})
    return;
  unsigned mask = OCC_LIMIT_WARPS | OCC_LIMIT_REGISTERS | OCC_LIMIT_SHARED_MEMORY |
                  OCC_LIMIT_BLOCKS | OCC_LIMIT_BARRIERS;
  ASSERT_EQ(factorsOf(found), wanted.limitingFactors & mask) << gpu.name() << " block " << size;
}

// GPUs that this toolkit's header knows.
bool headerKnows(const GpuLimits &gpu) {
  cudaOccDeviceProp device = properties(gpu);
  cudaOccFuncAttributes function = attributes({32, 0, 1}, 0);
  cudaOccDeviceState state;
  cudaOccResult result;
  return cudaOccMaxActiveBlocksPerMultiprocessor(&result, &device, &function, &state, 128, 0) ==
         CUDA_OCC_SUCCESS;
}

TEST(CudaOccupancy, everyBlockSizeAndRegisterCount) {
  int compared = 0;
  for (const GpuLimits &gpu : allGpuLimits()) {
    if (!headerKnows(gpu))
      continue;
    ++compared;
    for (int registers = 0; registers <= GpuLimits::threadRegisters; ++registers)
      for (int size = 32; size <= GpuLimits::blockThreads; size += 32)
        compare(gpu, {registers, 0, 1}, size);
    for (int size : {1, 31, 33, 100, 1000, 1023, 1025})
      compare(gpu, {40, 5000, 1}, size);
  }
  EXPECT_GE(compared, 8);
}

TEST(CudaOccupancy, sharedMemoryAndBarriers) {
  for (const GpuLimits &gpu : allGpuLimits()) {
    if (!headerKnows(gpu))
      continue;
    for (std::int64_t bytes = 0; bytes <= gpu.blockShared + 2048; bytes += 252)
      for (int size : {32, 64, 128, 256, 768, 1024})
        compare(gpu, {32, bytes, 1}, size);
    for (int barriers = 0; barriers <= 16; ++barriers)
      for (int size = 32; size <= GpuLimits::blockThreads; size += 32)
        compare(gpu, {24, 3000, barriers}, size);
  }
}

TEST(CudaOccupancy, bestBlockSize) {
  for (const GpuLimits &gpu : allGpuLimits()) {
    if (!headerKnows(gpu))
      continue;
    cudaOccDeviceProp device = properties(gpu);
    cudaOccDeviceState state;
    for (int registers = 8; registers <= GpuLimits::threadRegisters; ++registers)
      for (std::int64_t bytes : {0, 4096, 20000, 49152})
        for (int most : {1024, 512, 256, 100, 32}) {
          KernelResources kernel{registers, bytes, 1, most};
          cudaOccFuncAttributes function = attributes(kernel, 0);
          int grid = 0, size = 0;
          ASSERT_EQ(cudaOccMaxPotentialOccupancyBlockSize(&grid, &size, &device, &function, &state),
                    CUDA_OCC_SUCCESS);
          ASSERT_EQ(bestBlockSize(gpu, kernel), size) << gpu.name() << " registers " << registers
                                                      << " shared " << bytes << " most " << most;
        }
  }
}

#endif

} // namespace
} // namespace cufc
