// Every instruction counts once, or once for each round of its loops, as if each thread passed it.
// A warp moves whole sectors of 32 bytes: neighbouring addresses cost their own bytes, strided and
// unknown ones a sector a thread, one address for all threads a sector a warp. Whether there are
// enough bytes under way to keep memory busy follows from Little's law.
#include "occupancy/performance.h"
#include "occupancy/ptx_instruction.h"
#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace cufc {
namespace {

constexpr double sector = 32;
constexpr double startOfKernel =
    2e-6; // seconds in which a GPU starts and ends an empty one, roughly
constexpr double memoryLatency = 600e-9; // seconds, of a load from DRAM on GPUs since 7.0, roughly

constexpr double fewThreads = 128; // of a multiprocessor: one warp for each of its schedulers
constexpr double specialRate = 16; // results a clock cycle, on all of these GPUs
constexpr double cacheRate = 32;   // words of 4 bytes of the first cache and of shared memory
constexpr double issueRate = 128;  // instructions of threads that start in a clock cycle

bool isOneOf(std::string_view operation, const std::vector<std::string_view> &words) {
  for (std::string_view word : words)
    if (operation.starts_with(word))
      return true;
  return false;
}

void countArithmetic(std::string_view operation, double times, WorkCounts &work) {
  work.instructions += times;
  if (operation.ends_with(".f32") && isOneOf(operation, {"sqrt.", "rsqrt.", "rcp.", "div.", "ex2.",
                                                         "lg2.", "sin.", "cos.", "tanh."})) {
    work.specialOperations += times;
    // Exact ones are made of an approximation and of steps that mend it.
    constexpr double steps = 8;
    if (operation.find(".approx") == operation.npos)
      work.instructions += steps * times;
    return;
  }
  if (!isOneOf(operation,
               {"add.", "sub.", "mul.", "fma.", "mad.", "div.", "sqrt.", "rcp.", "min.", "max."}))
    return;
  double number = isOneOf(operation, {"fma.", "mad."}) ? 2 * times : times;
  if (operation.ends_with(".f32"))
    work.singleOperations += number;
  else if (operation.ends_with(".f64"))
    work.doubleOperations += number;
}

double bytesOf(const MemoryAccess &access) {
  if (access.verdict.starts_with("coalesced"))
    return access.bytes;
  if (access.verdict.starts_with("the same"))
    return sector / GpuLimits::warpSize;
  return std::max<double>(sector, access.bytes);
}

// Why a kernel waits instead of computing or moving data, and for what.
struct Latency {
  bool fewLoads = false, small = false, fewWarps = false;
  double resident = 0;             // threads
  double underWay = 0, needed = 0; // bytes
  double ideal = 0;                // seconds
};

std::string latencyText(const Latency &latency, std::int64_t threads, const Chip &chip) {
  if (latency.small)
    return fmt::format("; {} threads would take {:.3f} us, less than it takes to start "
                       "them",
                       threads, latency.ideal * 1e6);
  if (latency.fewWarps)
    return fmt::format("; {:.0f} resident threads are too few to keep {} multiprocessors busy",
                       latency.resident, chip.multiprocessors);
  if (latency.fewLoads)
    return fmt::format("; the resident threads have {:.0f} KB under way at a time, and {:.0f} "
                       "KB would keep memory busy",
                       latency.underWay / 1024, latency.needed / 1024);
  return "";
}

} // namespace

WorkCounts countWork(const std::string &kernel, const std::string &ptx) {
  WorkCounts work;
  CodeView view = viewPtx(kernel, ptx, "");
  std::optional<std::vector<double>> times = timesPassed(view.lines);
  work.countable = times.has_value();
  if (!times)
    return work;
  for (const Instruction &each : instructionsOf(view.lines))
    countArithmetic(each.operation, (*times)[each.line], work);
  std::set<size_t> ofAll = sharedByAll(view.lines);
  for (const MemoryAccess &access : view.memory) {
    double passed = (*times)[access.codeLine];
    work.cacheWords += passed * std::max(1, access.bytes / 4);
    bool global = access.operation == "ld.global" || access.operation == "st.global" ||
                  access.operation == "atom.global" || access.operation == "red.global";
    // What all threads read comes from DRAM once.
    if (!global || (access.operation == "ld.global" && ofAll.contains(access.codeLine)))
      continue;
    work.globalBytes += bytesOf(access) * passed;
    if (access.operation == "ld.global") {
      work.loadedBytes += access.bytes;
      work.loadedInRounds += access.bytes * passed;
    }
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
  double operations = work.singleOperations + work.doubleOperations + work.specialOperations;
  if (!work.countable || chip.megahertz <= 0 || chip.gigabytes <= 0 || occupancy.warps == 0 ||
      work.globalBytes + operations <= 0)
    return std::nullopt;
  double clock =
      chip.megahertz * 1e6 * chip.multiprocessors * 2; // a multiply-add is two operations
  double bandwidth = chip.gigabytes * 1e9;
  // The time of each kind of arithmetic at its own rate.
  double computing =
      work.singleOperations / (clock * gpu.fp32) + work.doubleOperations / (clock * gpu.fp64);
  double cycles = clock / 2;
  computing = std::max({computing, work.specialOperations / (cycles * specialRate),
                        work.instructions / (cycles * issueRate)});
  double fromMemory = work.globalBytes / bandwidth;
  double fromCache = work.cacheWords / (cycles * cacheRate);
  double moving = std::max(fromMemory, fromCache);
  Performance result;
  result.bytes = work.globalBytes;
  result.operations = operations;
  result.intensity = work.globalBytes > 0 ? operations / work.globalBytes : 0;
  double peak = operations > 0 ? operations / computing : clock * gpu.fp32;
  result.ridge = peak / bandwidth;
  result.threadSeconds = std::max(computing, moving);
  result.share = computing >= moving ? 1 : computing / moving;
  result.bound = computing > moving ? Bound::Compute : Bound::Memory;
  Latency latency;
  latency.resident = double(occupancy.warps) * GpuLimits::warpSize * chip.multiprocessors;
  if (threads > 0)
    latency.resident = std::min(latency.resident, double(threads));
  latency.underWay = work.loadedBytes * latency.resident;
  // Less than half of what is needed cannot reach half of the bandwidth. Only loads are waited for,
  // and they have their part of the bandwidth.
  double loaded = std::max(work.loadedBytes, work.loadedInRounds);
  latency.needed =
      bandwidth * memoryLatency * std::min(1.0, loaded / std::max(1.0, work.globalBytes));
  latency.fewLoads = result.bound == Bound::Memory && work.loadedBytes > 0 &&
                     latency.underWay < latency.needed / 2;
  latency.ideal = std::max(computing, moving) * double(threads);
  result.gridKnown = threads > 0;
  latency.small = threads > 0 && latency.ideal < startOfKernel;
  // A result can be used a few cycles later, so a scheduler needs several warps.
  latency.fewWarps = result.bound == Bound::Compute &&
                     latency.resident < double(chip.multiprocessors) * fewThreads;
  if (latency.fewLoads || latency.small || latency.fewWarps)
    result.bound = Bound::Latency;
  result.reason = fmt::format("{:.0f} instructions, {:.0f} operations and {:.1f} bytes of global "
                              "memory a thread, {:.2f} operations "
                              "a byte; from "
                              "{:.1f} on arithmetic would take longer than memory ({})",
                              work.instructions, operations, work.globalBytes, result.intensity,
                              result.ridge, chip.name);
  if (fromCache > std::max(fromMemory, computing))
    result.reason +=
        fmt::format("; {:.0f} words a thread from shared memory and the first cache take "
                    "longest",
                    work.cacheWords);
  result.reason += latencyText(latency, threads, chip);
  return result;
}

std::string describe(const Performance &performance) {
  if (performance.gridKnown)
    return fmt::format("{}. {}", nameOf(performance.bound), performance.reason);
  return fmt::format("not known, since the grid is not constant; {} if it fills the chip. {}",
                     nameOf(performance.bound), performance.reason);
}

std::vector<std::string> performanceAssumptions() {
  return {"every thread passes every instruction, in loops with constant bounds once a round",
          "all global memory is read from and written to DRAM; caches serve nothing twice",
          "accesses whose addresses are known only when it runs cost a sector of 32 bytes a thread",
          "the chip runs at its boost clock"};
}

} // namespace cufc
