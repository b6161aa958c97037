// Every instruction counts once, as if each thread passed it. A warp moves whole sectors of 32
// bytes: neighbouring addresses cost their own bytes, strided and unknown ones a sector a thread,
// one address for all threads a sector a warp. Whether there are enough bytes under way to keep
// memory busy follows from Little's law.
#include "occupancy/performance.h"
#include "occupancy/code_view.h"
#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace cufc {
namespace {

constexpr double sector = 32;
constexpr double startOfKernel =
    2e-6; // seconds in which a GPU starts and ends an empty one, roughly
constexpr double memoryLatency = 600e-9; // seconds, of a load from DRAM on GPUs since 7.0, roughly

std::string_view trimmed(std::string_view line) {
  size_t begin = line.find_first_not_of(" \t");
  return begin == line.npos ? std::string_view() : line.substr(begin);
}

// Whether a branch leads to a label above it, or something is called.
bool hasLoopOrCall(const std::vector<CodeLine> &lines) {
  std::set<std::string, std::less<>> above;
  for (const CodeLine &line : lines) {
    std::string_view text = trimmed(line.text);
    if (text.starts_with("$L")) {
      above.emplace(text.substr(0, text.find(':')));
      continue;
    }
    if (text.starts_with("@"))
      text = trimmed(text.substr(std::min(text.find_first_of(" \t"), text.size())));
    if (text.starts_with("call") || text.starts_with("brx"))
      return true;
    if (text.starts_with("bra")) {
      std::string_view label =
          trimmed(text.substr(std::min(text.find_first_of(" \t"), text.size())));
      if (above.contains(label.substr(0, label.find(';'))))
        return true;
    }
  }
  return false;
}

void countArithmetic(std::string_view text, WorkCounts &work) {
  text = trimmed(text);
  if (text.starts_with("@"))
    text = trimmed(text.substr(std::min(text.find_first_of(" \t"), text.size())));
  std::string_view operation = text.substr(0, text.find_first_of(" \t;"));
  bool arithmetic = false;
  for (std::string_view word : {"add.", "sub.", "mul.", "fma.", "mad.", "div.", "sqrt.", "rsqrt.",
                                "rcp.", "ex2.", "lg2.", "sin.", "cos.", "min.", "max."})
    arithmetic |= operation.starts_with(word);
  double number = operation.starts_with("fma.") || operation.starts_with("mad.") ? 2 : 1;
  if (arithmetic && operation.ends_with(".f32"))
    work.singleOperations += number;
  else if (arithmetic && operation.ends_with(".f64"))
    work.doubleOperations += number;
}

double bytesOf(const MemoryAccess &access) {
  if (access.verdict.starts_with("coalesced"))
    return access.bytes;
  if (access.verdict.starts_with("the same"))
    return sector / GpuLimits::warpSize;
  return std::max<double>(sector, access.bytes);
}

} // namespace

WorkCounts countWork(const std::string &kernel, const std::string &ptx) {
  WorkCounts work;
  CodeView view = viewPtx(kernel, ptx, "");
  work.countable = !hasLoopOrCall(view.lines);
  for (const CodeLine &line : view.lines)
    countArithmetic(line.text, work);
  for (const MemoryAccess &access : view.memory) {
    bool global = access.operation == "ld.global" || access.operation == "st.global" ||
                  access.operation == "atom.global" || access.operation == "red.global";
    if (global)
      work.globalBytes += bytesOf(access);
    if (access.operation == "ld.global")
      work.loadedBytes += access.bytes;
  }
  return work;
}

const char *nameOf(Bound bound) {
  static constexpr const char *names[] = {"memory", "compute", "latency"};
  return names[static_cast<size_t>(bound)];
}

std::optional<Performance> performanceOf(const WorkCounts &work, const GpuLimits &gpu,
                                         const Chip &chip, const Occupancy &occupancy,
                                         std::int64_t threads) {
  double operations = work.singleOperations + work.doubleOperations;
  if (!work.countable || chip.megahertz <= 0 || chip.gigabytes <= 0 || occupancy.warps == 0 ||
      work.globalBytes + operations <= 0)
    return std::nullopt;
  double clock =
      chip.megahertz * 1e6 * chip.multiprocessors * 2; // a multiply-add is two operations
  double bandwidth = chip.gigabytes * 1e9;
  // The time of each kind of arithmetic at its own rate.
  double computing =
      work.singleOperations / (clock * gpu.fp32) + work.doubleOperations / (clock * gpu.fp64);
  double moving = work.globalBytes / bandwidth;
  Performance result;
  result.bytes = work.globalBytes;
  result.operations = operations;
  result.intensity = work.globalBytes > 0 ? operations / work.globalBytes : 0;
  double peak = computing > 0 ? operations / computing : clock * gpu.fp32;
  result.ridge = peak / bandwidth;
  result.share = computing >= moving ? 1 : computing / moving;
  result.bound = computing > moving ? Bound::Compute : Bound::Memory;
  double resident = double(occupancy.warps) * GpuLimits::warpSize * chip.multiprocessors;
  if (threads > 0)
    resident = std::min(resident, double(threads));
  double underWay = work.loadedBytes * resident;
  // Less than half of what is needed cannot reach half of the bandwidth. Only loads are waited for,
  // and they have their part of the bandwidth.
  double needed =
      bandwidth * memoryLatency * std::min(1.0, work.loadedBytes / std::max(1.0, work.globalBytes));
  bool fewLoads = result.bound == Bound::Memory && work.loadedBytes > 0 && underWay < needed / 2;
  double ideal = std::max(computing, moving) * double(threads);
  result.gridKnown = threads > 0;
  bool small = threads > 0 && ideal < startOfKernel;
  if (fewLoads || small)
    result.bound = Bound::Latency;
  result.reason =
      fmt::format("{:.0f} operations and {:.1f} bytes of global memory a thread, {:.2f} operations "
                  "a byte; from "
                  "{:.1f} on arithmetic would take longer than memory ({})",
                  operations, work.globalBytes, result.intensity, result.ridge, chip.name);
  if (small)
    result.reason += fmt::format("; {} threads would take {:.3f} us, less than it takes to start "
                                 "them",
                                 threads, ideal * 1e6);
  else if (fewLoads)
    result.reason +=
        fmt::format("; the resident threads have {:.0f} KB under way at a time, and {:.0f} "
                    "KB would keep memory busy",
                    underWay / 1024, needed / 1024);
  return result;
}

std::string describe(const Performance &performance) {
  if (performance.gridKnown)
    return fmt::format("{}. {}", nameOf(performance.bound), performance.reason);
  return fmt::format("not known, since the grid is not constant; {} if it fills the chip. {}",
                     nameOf(performance.bound), performance.reason);
}

std::vector<std::string> performanceAssumptions() {
  return {"every thread passes every instruction once",
          "all global memory is read from and written to DRAM; caches serve nothing twice",
          "accesses whose addresses are known only when it runs cost a sector of 32 bytes a thread",
          "the chip runs at its boost clock"};
}

} // namespace cufc
