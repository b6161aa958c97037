// Theoretical occupancy: how many blocks of a kernel fit on a multiprocessor at a time, and why.
//
// The rules are those of NVIDIA's cuda_occupancy.h, written anew so that they are there without a
// toolkit; tests/unit/compiler/occupancy_test.cpp compares the two. All functions are pure.
#ifndef CUFC_OCCUPANCY_CALCULATOR_H
#define CUFC_OCCUPANCY_CALCULATOR_H

#include "occupancy/gpu_limits.h"
#include <cstdint>

namespace cufc {

// What a kernel takes, whatever its blocks are.
struct KernelResources {
  int registers = 0;            // of a thread
  std::int64_t sharedBytes = 0; // of a block, static and dynamic together
  int barriers = 1;
  int maxThreads = GpuLimits::blockThreads; // of a block, by launch_bounds
};

enum class Resource : std::uint8_t { Warps, Registers, SharedMemory, Blocks, Barriers };
// "warps", "registers", "sharedMemory", "blocks", "barriers".
const char *nameOf(Resource resource);

struct Occupancy {
  int blocks = 0;                  // resident on a multiprocessor
  int warps = 0;                   // of those blocks
  double share = 0;                // of the warps that a multiprocessor holds, 0 to 1
  std::vector<Resource> limitedBy; // those that allow no more blocks than `blocks`
};

Occupancy occupancyOf(const GpuLimits &gpu, const KernelResources &kernel, int blockSize);

// Why it is so, in a sentence without a full stop.
std::string reasonFor(const GpuLimits &gpu, const KernelResources &kernel, int blockSize);

// The block size, a multiple of 32, with the most resident threads; of several the largest, as
// cudaOccupancyMaxPotentialBlockSize gives it. 0 if no block fits.
int bestBlockSize(const GpuLimits &gpu, const KernelResources &kernel);

struct CurvePoint {
  std::int64_t x;
  Occupancy occupancy;
};

// Over block sizes 32, 64, ...; registers 8, 16, ...; shared memory 0, 1024, ... bytes; each up to
// what the GPU allows.
std::vector<CurvePoint> blockSizeCurve(const GpuLimits &gpu, const KernelResources &kernel);
std::vector<CurvePoint> registerCurve(const GpuLimits &gpu, const KernelResources &kernel,
                                      int blockSize);
std::vector<CurvePoint> sharedCurve(const GpuLimits &gpu, const KernelResources &kernel,
                                    int blockSize);

// What one other number would give.
struct Change {
  const char *what; // "registers", "sharedBytes" or "blockSize"
  std::int64_t from, to;
  double before, after; // occupancy
  std::string text;     // "8 registers fewer: 75 % to 100 %"
};

// The least changes that raise occupancy, and the first that lower it.
std::vector<Change> usefulChanges(const GpuLimits &gpu, const KernelResources &kernel,
                                  int blockSize);

// How a grid fills a chip.
struct GridFill {
  std::int64_t blocks = 0, blocksPerWave = 0;
  double waves = 0;            // blocks / blocksPerWave
  double lastWave = 0;         // how full the last one is, 0 to 1
  int idleMultiprocessors = 0; // that get no block at all
};
// Nothing if no block fits.
std::optional<GridFill> gridFill(const Occupancy &occupancy, int multiprocessors,
                                 std::int64_t blocks);

// "75 %"
std::string percent(double share);

} // namespace cufc
#endif // CUFC_OCCUPANCY_CALCULATOR_H
