// A static estimate of what bounds a kernel: bytes and operations of a thread, counted in its PTX,
// and where they lie under the roofline of a chip.
//
// It says nothing of kernels with loops or calls, since it is not known how often their bodies run.
#ifndef CUFC_OCCUPANCY_PERFORMANCE_H
#define CUFC_OCCUPANCY_PERFORMANCE_H

#include "occupancy/calculator.h"
#include "occupancy/kernel_cost.h"

namespace cufc {

// Counts in PTX without lines; `countable` is false where nothing can be counted.
WorkCounts countWork(const std::string &kernel, const std::string &ptx);

enum class Bound : std::uint8_t { Memory, Compute, Latency };
const char *nameOf(Bound bound); // "memory", "compute", "latency"

struct Performance {
  double bytes = 0;      // of a thread from and to global memory
  double operations = 0; // of a thread, floating point
  double intensity = 0;  // operations a byte
  double ridge = 0;      // the intensity from which the chip computes rather than waits for memory
  double threadSeconds = 0;    // that the chip needs at its peaks for a thread
  double share = 0;            // of the chip's peak that the roofline allows
  Bound bound = Bound::Memory; // of a full chip where the grid is not known
  bool gridKnown = false;
  std::string reason;
};

// Of a grid with so many threads, or of one that fills the chip if they are 0. Nothing if the work
// cannot be counted, or the chip's clock and bandwidth are not known.
std::optional<Performance> performanceOf(const WorkCounts &work, const GpuLimits &gpu,
                                         const Chip &chip, const Occupancy &occupancy,
                                         std::int64_t threads);

// "memory. 3 operations ...", or what is not known and what holds for a full chip.
std::string describe(const Performance &performance);

// What the estimate takes for granted, one sentence each.
std::vector<std::string> performanceAssumptions();

} // namespace cufc
#endif // CUFC_OCCUPANCY_PERFORMANCE_H
