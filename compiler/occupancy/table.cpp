// A line for each kernel, then what is to be said of it.
#include "occupancy/table.h"
#include "base/source_text.h"
#include "occupancy/performance.h"
#include <fmt/format.h>

namespace cufc {
namespace {

std::string limitNames(const Occupancy &occupancy) {
  static constexpr const char *words[] = {"warps", "registers", "shared memory", "blocks",
                                          "barriers"};
  std::string text;
  for (Resource resource : occupancy.limitedBy)
    text += (text.empty() ? "" : ", ") + std::string(words[static_cast<size_t>(resource)]);
  return text;
}

// "[(n + 255) / 256, 256]"
std::string launchText(const LaunchReport &launch) {
  return fmt::format("<<<{}, {}>>>", launch.gridText.empty() ? "*" : launch.gridText,
                     launch.blockText.empty() ? "*" : launch.blockText);
}

std::string describe(const LaunchReport &launch, const Chip &chip) {
  if (!launch.occupancy)
    return "the configuration is known only when the program runs";
  std::string text = "occupancy " + percent(launch.occupancy->share);
  if (launch.occupancy->blocks == 0)
    return text + ": " + launch.reason;
  if (launch.fill) {
    const GridFill &fill = *launch.fill;
    text += fmt::format(", {:.2f} waves of {} blocks", fill.waves, fill.blocksPerWave);
    if (fill.idleMultiprocessors > 0)
      text += fmt::format(", {} of {} multiprocessors without a block", fill.idleMultiprocessors,
                          chip.multiprocessors);
    else if (fill.waves > 1 && fill.lastWave < 1)
      text += fmt::format(", the last {} full", percent(fill.lastWave));
  }
  if (launch.idleInGrid && *launch.idleInGrid > 0)
    text += fmt::format(", {} threads of the last block idle", *launch.idleInGrid);
  if (launch.idleInLastWarp > 0)
    text += fmt::format(", {} lanes of each last warp idle", launch.idleInLastWarp);
  return text;
}

void addDetails(std::string &text, const KernelReport &kernel, const Chip &chip) {
  text += "\n" + kernel.name + "\n";
  if (!kernel.known()) {
    text += "  " + kernel.cost.problem + "\n";
    return;
  }
  text += "  " + kernel.reason + "\n";
  if (kernel.cost.callsOthers)
    text +=
        "  it calls procedures of other files, whose registers and stack are not counted: they\n"
        "  are known when the program is linked, so occupancy may be lower\n";
  for (const Change &change : kernel.changes)
    text += "  " + change.text + "\n";
  double best =
      occupancyOf(*findLimits(chip.number), kernel.resources(), kernel.suggestedBlockSize).share;
  if (best > kernel.occupancy.share)
    text += fmt::format("  best block size: {} threads, {}\n", kernel.suggestedBlockSize,
                        percent(best));
  if (auto performance = performanceOf(kernel.cost.work, *findLimits(chip.number), chip,
                                       kernel.occupancy, kernel.launchedThreads()))
    text += "  predicted bound: " + describe(*performance) + "\n";
  for (const LaunchReport &launch : kernel.launches)
    text += fmt::format("  {}:{} {}: {}\n", shownPath(launch.file), launch.place.line,
                        launchText(launch), describe(launch, chip));
}

} // namespace

std::string occupancyTable(const std::vector<KernelReport> &kernels, const GpuLimits &gpu,
                           const Chip &chip, const std::string &note, const std::string &missing) {
  std::string text = fmt::format("cc{}, {} with {} multiprocessors\n", gpu.number, chip.name,
                                 chip.multiprocessors);
  if (!note.empty())
    text += note + "\n";
  if (kernels.empty())
    return text + "\n" +
           (missing.empty() ? "There are no kernels in what was measured."
                            : "Nothing was measured: " + missing + ".") +
           "\n";
  size_t width = 6;
  for (const KernelReport &kernel : kernels)
    width = std::max(width, kernel.name.size());
  text += fmt::format("\n{:<{}} {:>9} {:>7} {:>6} {:>7} {:>6} {:>7} {:>6} {:>9}  {}\n", "kernel",
                      width, "registers", "shared", "local", "spills", "block", "blocks", "warps",
                      "occupancy", "limited by");
  for (const KernelReport &kernel : kernels) {
    const KernelCost &cost = kernel.cost;
    if (!kernel.known())
      text += fmt::format("{:<{}} not known\n", kernel.name, width);
    else
      text += fmt::format(
          "{:<{}} {:>9} {:>7} {:>6} {:>7} {:>6} {:>7} {:>6} {:>9}  {}\n", kernel.name, width,
          std::to_string(cost.registers) + (cost.callsOthers ? "+" : ""),
          cost.sharedBytes + kernel.dynamicShared, cost.localBytes,
          cost.spillStoreBytes + cost.spillLoadBytes, kernel.blockSize, kernel.occupancy.blocks,
          kernel.occupancy.warps, percent(kernel.occupancy.share), limitNames(kernel.occupancy));
  }
  for (const KernelReport &kernel : kernels)
    addDetails(text, kernel, chip);
  return text;
}

} // namespace cufc
