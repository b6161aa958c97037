// Each resource allows so many blocks; the least counts. Registers are given to warps in units, in
// four partitions that hold a quarter of the warps each; a launch is refused if a block with its
// warps rounded up to the partitions would take more than all registers.
#include "occupancy/calculator.h"
#include <algorithm>
#include <climits>
#include <fmt/format.h>

namespace cufc {
namespace {

constexpr int resources = 5;
constexpr int noLimit = INT_MAX;

std::int64_t roundUp(std::int64_t value, std::int64_t unit) {
  return (value + unit - 1) / unit * unit;
}

int warpsOf(int blockSize) { return (blockSize + GpuLimits::warpSize - 1) / GpuLimits::warpSize; }

std::int64_t registersOfWarp(const KernelResources &kernel) {
  return roundUp(std::int64_t(kernel.registers) * GpuLimits::warpSize, GpuLimits::registerUnit);
}

std::int64_t sharedOfBlock(const GpuLimits &gpu, const KernelResources &kernel) {
  return roundUp(kernel.sharedBytes + gpu.reserved, gpu.sharedUnit);
}

int byWarps(const GpuLimits &gpu, const KernelResources &kernel, int blockSize) {
  if (blockSize > std::min(kernel.maxThreads, GpuLimits::blockThreads))
    return 0;
  return gpu.warps() / warpsOf(blockSize);
}

int byRegisters(const KernelResources &kernel, int blockSize) {
  std::int64_t ofWarp = registersOfWarp(kernel);
  if (kernel.registers > GpuLimits::threadRegisters + 1 ||
      ofWarp * roundUp(warpsOf(blockSize), GpuLimits::partitions) > GpuLimits::registers)
    return 0;
  if (ofWarp == 0)
    return noLimit;
  std::int64_t warps =
      GpuLimits::registers / GpuLimits::partitions / ofWarp * GpuLimits::partitions;
  return static_cast<int>(warps / warpsOf(blockSize));
}

int byShared(const GpuLimits &gpu, const KernelResources &kernel) {
  std::int64_t ofBlock = sharedOfBlock(gpu, kernel);
  if (ofBlock > gpu.blockShared + gpu.reserved)
    return 0;
  return ofBlock == 0 ? noLimit : static_cast<int>(gpu.sharedBytes / ofBlock);
}

int byBarriers(const GpuLimits &gpu, const KernelResources &kernel) {
  return gpu.barriers == 0 || kernel.barriers <= 0 ? noLimit : gpu.barriers / kernel.barriers;
}

// In the order of `Resource`.
struct BlockLimits {
  int of[resources];
};

BlockLimits blockLimits(const GpuLimits &gpu, const KernelResources &kernel, int blockSize) {
  return {{byWarps(gpu, kernel, blockSize), byRegisters(kernel, blockSize), byShared(gpu, kernel),
           gpu.blocks, byBarriers(gpu, kernel)}};
}

std::string times(std::int64_t count, const char *one, const char *many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

std::string whyNone(const GpuLimits &gpu, const KernelResources &kernel, int blockSize) {
  if (blockSize > kernel.maxThreads && kernel.maxThreads < GpuLimits::blockThreads)
    return fmt::format("a block of {} threads is not possible: the kernel's launch_bounds allow {}",
                       blockSize, kernel.maxThreads);
  if (blockSize > GpuLimits::blockThreads)
    return fmt::format("a block of {} threads is not possible: a block has at most {}", blockSize,
                       GpuLimits::blockThreads);
  if (byRegisters(kernel, blockSize) == 0)
    return fmt::format("no block of {} threads fits: with {} registers a thread it takes {} of {} "
                       "registers",
                       blockSize, kernel.registers,
                       registersOfWarp(kernel) * roundUp(warpsOf(blockSize), GpuLimits::partitions),
                       GpuLimits::registers);
  if (byShared(gpu, kernel) == 0)
    return fmt::format(
        "no block fits: it takes {} bytes of shared memory, and a block has at most {}",
        kernel.sharedBytes, gpu.blockShared);
  return "no block fits";
}

std::string whyLimited(const GpuLimits &gpu, const KernelResources &kernel, Resource resource) {
  switch (resource) {
  case Resource::Warps:
    return fmt::format("of the {} warps of a multiprocessor no further block finds enough",
                       gpu.warps());
  case Resource::Registers:
    return fmt::format("{} a thread take {} of the {} of a multiprocessor for each warp",
                       times(kernel.registers, "register", "registers"), registersOfWarp(kernel),
                       GpuLimits::registers);
  case Resource::SharedMemory: {
    std::string system =
        gpu.reserved > 0 ? fmt::format(", with {} for the system,", gpu.reserved) : std::string();
    return fmt::format("a block takes {} bytes of shared memory{} of {}",
                       sharedOfBlock(gpu, kernel), system, gpu.sharedBytes);
  }
  case Resource::Blocks:
    return fmt::format("a multiprocessor runs at most {} blocks", gpu.blocks);
  case Resource::Barriers:
    return fmt::format("a block takes {} of {} barriers", kernel.barriers, gpu.barriers);
  }
  return {};
}

KernelResources with(KernelResources kernel, int registers, std::int64_t sharedBytes) {
  kernel.registers = registers;
  kernel.sharedBytes = sharedBytes;
  return kernel;
}

std::string shift(std::int64_t from, std::int64_t to, const char *one, const char *many) {
  std::int64_t difference = to > from ? to - from : from - to;
  return fmt::format("{} {}", times(difference, one, many), to > from ? "more" : "fewer");
}

} // namespace

const char *nameOf(Resource resource) {
  static constexpr const char *names[resources] = {"warps", "registers", "sharedMemory", "blocks",
                                                   "barriers"};
  return names[static_cast<size_t>(resource)];
}

Occupancy occupancyOf(const GpuLimits &gpu, const KernelResources &kernel, int blockSize) {
  Occupancy result;
  if (blockSize <= 0)
    return result;
  BlockLimits limits = blockLimits(gpu, kernel, blockSize);
  result.blocks = *std::min_element(limits.of, limits.of + resources);
  result.warps = result.blocks * warpsOf(blockSize);
  result.share = static_cast<double>(result.warps) / gpu.warps();
  for (int i = 0; i < resources; ++i)
    if (limits.of[i] == result.blocks)
      result.limitedBy.push_back(static_cast<Resource>(i));
  return result;
}

std::string reasonFor(const GpuLimits &gpu, const KernelResources &kernel, int blockSize) {
  Occupancy occupancy = occupancyOf(gpu, kernel, blockSize);
  if (occupancy.blocks == 0)
    return whyNone(gpu, kernel, blockSize);
  std::string text = fmt::format("{} of {} threads give {} of {} warps",
                                 times(occupancy.blocks, "block", "blocks"), blockSize,
                                 occupancy.warps, gpu.warps());
  bool full = occupancy.warps == gpu.warps();
  if (full)
    return text + ", all there are";
  for (size_t i = 0; i < occupancy.limitedBy.size(); ++i)
    text += (i == 0 ? ": " : ", and ") + whyLimited(gpu, kernel, occupancy.limitedBy[i]);
  return text;
}

int bestBlockSize(const GpuLimits &gpu, const KernelResources &kernel) {
  int best = 0, most = 0;
  int largest = std::min(kernel.maxThreads, GpuLimits::blockThreads);
  // An odd bound of launch_bounds is a candidate itself.
  for (int tried = static_cast<int>(roundUp(largest, GpuLimits::warpSize)); tried > 0;
       tried -= GpuLimits::warpSize) {
    int size = std::min(largest, tried);
    int threads = occupancyOf(gpu, kernel, size).blocks * size;
    if (threads > most) {
      best = size;
      most = threads;
    }
  }
  return best;
}

std::vector<CurvePoint> blockSizeCurve(const GpuLimits &gpu, const KernelResources &kernel) {
  std::vector<CurvePoint> curve;
  for (int size = GpuLimits::warpSize; size <= std::min(kernel.maxThreads, GpuLimits::blockThreads);
       size += GpuLimits::warpSize)
    curve.push_back({size, occupancyOf(gpu, kernel, size)});
  return curve;
}

std::vector<CurvePoint> registerCurve(const GpuLimits &gpu, const KernelResources &kernel,
                                      int blockSize) {
  constexpr int step = GpuLimits::registerUnit / GpuLimits::warpSize;
  std::vector<CurvePoint> curve;
  for (int count = step; count < GpuLimits::threadRegisters + step; count += step) {
    int registers = std::min(count, GpuLimits::threadRegisters);
    curve.push_back(
        {registers, occupancyOf(gpu, with(kernel, registers, kernel.sharedBytes), blockSize)});
  }
  return curve;
}

std::vector<CurvePoint> sharedCurve(const GpuLimits &gpu, const KernelResources &kernel,
                                    int blockSize) {
  constexpr int step = 1024;
  std::vector<CurvePoint> curve;
  for (int bytes = 0; bytes <= gpu.blockShared; bytes += step)
    curve.push_back({bytes, occupancyOf(gpu, with(kernel, kernel.registers, bytes), blockSize)});
  return curve;
}

namespace {

// Looks for the nearest number on one side whose occupancy differs in the direction that is wanted.
class Search {
public:
  Search(const GpuLimits &gpu, const KernelResources &kernel, int blockSize)
      : gpu(gpu), kernel(kernel), blockSize(blockSize),
        before(occupancyOf(gpu, kernel, blockSize).share) {}

  std::vector<Change> all() {
    for (int count = kernel.registers - 1; count >= 16; --count)
      if (addRegisters(count, true))
        break;
    searchShared(-1);
    addBlockSize();
    for (int count = kernel.registers + 1; count <= GpuLimits::threadRegisters; ++count)
      if (addRegisters(count, false))
        break;
    searchShared(1);
    return std::move(changes);
  }

private:
  bool add(const char *what, std::int64_t from, std::int64_t to, double after, bool better,
           const std::string &text) {
    if (better ? after <= before : after >= before)
      return false;
    changes.push_back({what, from, to, before, after,
                       fmt::format("{}: {} to {}", text, percent(before), percent(after))});
    return true;
  }

  bool addRegisters(int count, bool better) {
    double after = occupancyOf(gpu, with(kernel, count, kernel.sharedBytes), blockSize).share;
    return add("registers", kernel.registers, count, after, better,
               shift(kernel.registers, count, "register", "registers"));
  }

  // Only bytes at the border of an allocation unit can change anything.
  void searchShared(int direction) {
    std::int64_t unit = gpu.sharedUnit;
    std::int64_t bytes = roundUp(kernel.sharedBytes + gpu.reserved, unit) - gpu.reserved;
    if (direction > 0 && bytes == kernel.sharedBytes)
      ++bytes;
    else
      bytes += direction > 0 ? 1 : -unit;
    for (; bytes >= 0 && bytes <= gpu.blockShared; bytes += direction * unit) {
      double after = occupancyOf(gpu, with(kernel, kernel.registers, bytes), blockSize).share;
      if (add("sharedBytes", kernel.sharedBytes, bytes, after, direction < 0,
              shift(kernel.sharedBytes, bytes, "byte", "bytes") + " of shared memory"))
        return;
    }
  }

  // The nearest block size that gives the most.
  void addBlockSize() {
    double most = before;
    for (const CurvePoint &point : blockSizeCurve(gpu, kernel))
      most = std::max(most, point.occupancy.share);
    int nearest = 0;
    for (const CurvePoint &point : blockSizeCurve(gpu, kernel)) {
      int size = static_cast<int>(point.x);
      if (point.occupancy.share == most &&
          (nearest == 0 || std::abs(size - blockSize) < std::abs(nearest - blockSize)))
        nearest = size;
    }
    if (nearest > 0)
      add("blockSize", blockSize, nearest, most, true,
          fmt::format("blocks of {} threads", nearest));
  }

  const GpuLimits &gpu;
  const KernelResources &kernel;
  int blockSize;
  double before;
  std::vector<Change> changes;
};

} // namespace

std::vector<Change> usefulChanges(const GpuLimits &gpu, const KernelResources &kernel,
                                  int blockSize) {
  return Search(gpu, kernel, blockSize).all();
}

std::optional<GridFill> gridFill(const Occupancy &occupancy, int multiprocessors,
                                 std::int64_t blocks) {
  GridFill fill;
  fill.blocks = blocks;
  fill.blocksPerWave = std::int64_t(occupancy.blocks) * multiprocessors;
  if (fill.blocksPerWave <= 0 || blocks <= 0)
    return std::nullopt;
  fill.waves = static_cast<double>(blocks) / static_cast<double>(fill.blocksPerWave);
  std::int64_t rest = blocks % fill.blocksPerWave;
  fill.lastWave =
      rest == 0 ? 1 : static_cast<double>(rest) / static_cast<double>(fill.blocksPerWave);
  fill.idleMultiprocessors = static_cast<int>(std::max<std::int64_t>(0, multiprocessors - blocks));
  return fill;
}

std::string percent(double share) {
  // Rounded down, so that 100 % is all.
  return fmt::format("{} %", static_cast<int>(share * 100 + 1e-9));
}

} // namespace cufc
