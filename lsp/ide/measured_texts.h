// What is said above a kernel or a program about the times of a run.
#ifndef CUFLS_IDE_MEASURED_TEXTS_H
#define CUFLS_IDE_MEASURED_TEXTS_H

#include "occupancy/report.h"
#include "occupancy/run_report.h"

namespace cufc {

// What a kernel's code says of its work, on the GPU that it ran on; for the CPU, on any.
struct KernelWork {
  const KernelReport *kernel = nullptr; // null: not known
  GpuLimits gpu;
  Chip chip;
};

// "0.0436 ms, 200 calls, 1830 GB/s, 38 % of the roofline on H200, of an earlier text". Bytes are
// those of the kernel's code for each thread (docs/occupancy.md, "What bounds a kernel"), so they
// are missing where that cannot be counted.
std::string timesTitle(const RunReport &run, const MeasuredKernel &measured, const KernelWork &work,
                       bool stale);

// "to the device 8 MB at 1.9 GB/s, from it 4 MB at 1.8 GB/s on H200"; empty if there are none.
std::string transfersTitle(const RunReport &run, const std::vector<MeasuredTransfer> &transfers,
                           bool stale);

} // namespace cufc
#endif // CUFLS_IDE_MEASURED_TEXTS_H
