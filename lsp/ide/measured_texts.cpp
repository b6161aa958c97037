// See measured_texts.h. A kernel's share of the roofline is the time that its bytes and operations
// need at the chip's peaks, of the time that it took; on a CPU, of which only the memory's
// bandwidth is known, it is the share of that.
#include "ide/measured_texts.h"
#include "occupancy/performance.h"
#include <fmt/format.h>

namespace cufc {
namespace {

std::string inUnits(double value, std::initializer_list<const char *> units, double step) {
  const char *const *unit = units.begin();
  for (; value >= step && unit + 1 != units.end(); ++unit)
    value /= step;
  return fmt::format("{:.{}f} {}", value, value < 10 ? 2 : value < 100 ? 1 : 0, *unit);
}

std::string timeText(double seconds) {
  return inUnits(seconds * 1e9, {"ns", "us", "ms", "s"}, 1e3);
}

std::string bytesText(double bytes) {
  return inUnits(bytes, {"bytes", "kB", "MB", "GB", "TB"}, 1e3);
}

std::string rateText(double bytes, double seconds) {
  double rate = bytes / seconds / 1e9;
  return fmt::format("{:.{}f} GB/s", rate, rate < 10 ? 2 : rate < 100 ? 1 : 0);
}

std::string calls(long long count) {
  return fmt::format("{} call{}", count, count == 1 ? "" : "s");
}

std::string shareText(double share) {
  return fmt::format("{:.{}f} %", 100 * share, share < 0.1 ? 1 : 0);
}

// "NVIDIA H200" is H200.
std::string shortName(const RunReport &run) {
  constexpr std::string_view maker = "NVIDIA ";
  return run.device.starts_with(maker) ? run.device.substr(maker.size()) : run.device;
}

std::string placeText(const RunReport &run, bool stale) {
  return " on " + shortName(run) + (stale ? ", of an earlier text" : "");
}

// With what the code of a thread moves.
std::string throughput(const RunReport &run, const MeasuredKernel &measured,
                       const KernelWork &work) {
  if (!work.kernel || !work.kernel->known() || measured.meanThreads <= 0)
    return {};
  auto threads = static_cast<std::int64_t>(measured.meanThreads);
  std::optional<Performance> performance =
      performanceOf(work.kernel->cost.work, work.gpu, work.chip, work.kernel->occupancy, threads);
  if (!performance)
    return {};
  double bytes = performance->bytes * measured.meanThreads;
  std::string text;
  if (bytes > 0)
    text += ", " + rateText(bytes, measured.meanSeconds);
  if (run.onGpu)
    text += ", " +
            shareText(performance->threadSeconds * measured.meanThreads / measured.meanSeconds) +
            " of the roofline";
  else if (run.hostGigabytes > 0 && bytes > 0)
    text += ", " + shareText(bytes / measured.meanSeconds / 1e9 / run.hostGigabytes) +
            " of the memory's bandwidth";
  return text;
}

} // namespace

std::string timesTitle(const RunReport &run, const MeasuredKernel &measured, const KernelWork &work,
                       bool stale) {
  return timeText(measured.meanSeconds) + ", " + calls(measured.count) +
         throughput(run, measured, work) + placeText(run, stale);
}

std::string transfersTitle(const RunReport &run, const std::vector<MeasuredTransfer> &transfers,
                           bool stale) {
  struct Direction {
    const char *name, *text;
  };
  std::string title;
  for (const auto &[name, text] :
       {Direction{"hostToDevice", "to the device"}, Direction{"deviceToHost", "from the device"},
        Direction{"deviceToDevice", "within devices"}})
    for (const MeasuredTransfer &transfer : transfers)
      if (transfer.direction == name)
        title += fmt::format("{}{} {} in {} at {}", title.empty() ? "" : ", ", text,
                             bytesText(transfer.bytes), calls(transfer.count),
                             rateText(transfer.bytes, transfer.seconds));
  return title.empty() ? title : title + placeText(run, stale);
}

} // namespace cufc
