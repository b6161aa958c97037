// GPUs by compute capability, from tables/gpus.def.
#ifndef CUFC_BASE_GPUS_H
#define CUFC_BASE_GPUS_H

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cufc {

struct Gpu {
  int number;          // 90 for compute capability 9.0
  int ptx;             // lowest PTX ISA version with this target, 78 for 7.8
  bool dataCentre;     // built by default
  int sharedKilobytes; // of a block, static and dynamic together
};

// Of a launch, the same for all of these GPUs (CUDA C++ Programming Guide, "Technical
// Specifications per Compute Capability").
struct LaunchLimits {
  static constexpr long long blockThreads = 1024, blockZ = 64, gridX = 2147483647, gridYz = 65535;
};

const std::vector<Gpu> &allGpus();

// "cc90", "sm_90", "90", "9.0" or "cc9.0"; nothing if the table has no such GPU.
std::optional<Gpu> findGpu(std::string_view name);

// "cc75, cc80, ..." for messages.
std::string gpuNames();

} // namespace cufc
#endif // CUFC_BASE_GPUS_H
