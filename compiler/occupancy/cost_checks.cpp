// Diagnostics of what kernels cost: only what is certain for the chip, and worth a look.
#include "base/cost.h"
#include "occupancy/report.h"
#include <algorithm>
#include <cmath>

namespace cufc {
namespace {

// A last wave that is emptier than this, of at most so many waves, is said to be wasted.
constexpr double emptyWave = 0.5;
constexpr double fewWaves = 4;
// By how much of all warps another block size must be better.
constexpr double muchBetter = 0.25;

class CostChecks {
public:
  CostChecks(const GpuLimits &gpu, const Chip &chip, Diagnostics &diagnostics)
      : gpu(gpu), chip(chip), diagnostics(diagnostics) {}

  void check(const KernelReport &kernel) {
    if (!kernel.known())
      return;
    if (kernel.cost.spillStoreBytes > 0 || kernel.cost.spillLoadBytes > 0)
      diagnostics.report(Cost::KernelSpills, rangeIn(kernel.file, kernel.nameplace), kernel.name,
                         gpu.number, kernel.cost.spillStoreBytes, kernel.cost.spillLoadBytes);
    for (const LaunchReport &launch : kernel.launches)
      check(kernel, launch);
  }

private:
  void check(const KernelReport &kernel, const LaunchReport &launch) {
    if (!launch.occupancy || !launch.block)
      return;
    SourceRange range = rangeIn(launch.file, launch.place);
    const LaunchReport::Extents &block = *launch.block;
    long long size = block[0] * block[1] * block[2];
    if (launch.occupancy->blocks == 0) {
      // What is too large on every GPU is an error of its own (CUF0237, CUF0263).
      if (size <= std::min(kernel.cost.maxThreads, GpuLimits::blockThreads))
        diagnostics.report(Cost::LaunchTakesTooMuch, range, gpu.number, launch.reason);
      return;
    }
    if (launch.fill)
      checkGrid(range, *launch.fill);
    if (!launch.fill || launch.fill->idleMultiprocessors == 0)
      checkBlock(kernel, launch, range, static_cast<int>(size));
  }

  void checkGrid(const SourceRange &range, const GridFill &fill) {
    if (fill.idleMultiprocessors > 0)
      diagnostics.report(Cost::IdleMultiprocessors, range, fill.idleMultiprocessors,
                         chip.multiprocessors, chip.name, fill.blocks);
    else if (fill.waves > 1 && fill.waves <= fewWaves && fill.lastWave < emptyWave)
      diagnostics.report(Cost::LastWave, range, chip.name, fill.blocksPerWave, fill.blocks,
                         static_cast<long long>(std::ceil(fill.waves)), percent(fill.lastWave));
  }

  void checkBlock(const KernelReport &kernel, const LaunchReport &launch, const SourceRange &range,
                  int size) {
    if (!launch.dynamicShared)
      return;
    KernelResources resources = kernel.resourcesWith(*launch.dynamicShared);
    for (const Change &change : usefulChanges(gpu, resources, size))
      if (change.what == std::string_view("blockSize") &&
          change.after - change.before >= muchBetter)
        diagnostics.report(Cost::BlockSizeWastesWarps, range, size, percent(change.before),
                           gpu.number, change.to, percent(change.after));
  }

  const GpuLimits &gpu;
  const Chip &chip;
  Diagnostics &diagnostics;
};

} // namespace

void checkCosts(const std::vector<KernelReport> &kernels, const GpuLimits &gpu, const Chip &chip,
                Diagnostics &diagnostics) {
  CostChecks checks(gpu, chip, diagnostics);
  for (const KernelReport &kernel : kernels)
    checks.check(kernel);
}

} // namespace cufc
