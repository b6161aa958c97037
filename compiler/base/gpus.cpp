// Look-up of GPUs by the names users write.
#include "base/gpus.h"

namespace cufc {

const std::vector<Gpu> &allGpus() {
  static const std::vector<Gpu> gpus = {
#define CUF_GPU(number, ptx, dataCentre, sharedKilobytes, firstToolkit, endToolkit)                \
  {number, ptx, dataCentre != 0, sharedKilobytes},
#include "tables/gpus.def"
#undef CUF_GPU
  };
  return gpus;
}

std::optional<Gpu> findGpu(std::string_view name) {
  for (std::string_view prefix : {"cc", "sm_", "compute_"})
    if (name.starts_with(prefix)) {
      name.remove_prefix(prefix.size());
      break;
    }
  std::string digits(name);
  if (size_t dot = digits.find('.'); dot != std::string::npos && dot + 2 == digits.size())
    digits.erase(dot, 1);
  for (const Gpu &gpu : allGpus())
    if (std::to_string(gpu.number) == digits)
      return gpu;
  return std::nullopt;
}

std::string gpuNames() {
  std::string names;
  for (const Gpu &gpu : allGpus())
    names += (names.empty() ? "cc" : ", cc") + std::to_string(gpu.number);
  return names;
}

} // namespace cufc
