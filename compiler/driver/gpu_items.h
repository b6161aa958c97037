// The items of -gpu= and -Mcuda=, from tables/options.toml: words, GPUs, toolkits.
#ifndef CUFC_DRIVER_GPU_ITEMS_H
#define CUFC_DRIVER_GPU_ITEMS_H

#include "driver/options.h"
#include <string>

namespace cufc {

enum class GpuItemState { Unknown, Applied, Ignored, Noted, Refused, Wrong };

struct GpuItemResult {
  GpuItemState state = GpuItemState::Unknown;
  std::string help; // why an item is ignored or refused; for a wrong value, what it takes
};

// Changes `options` as the item asks. In -Mcuda=, numbers such as 3.0 are toolkits, in -gpu= GPUs.
GpuItemResult applyGpuItem(const std::string &item, bool inMcuda, Options &options);

} // namespace cufc
#endif // CUFC_DRIVER_GPU_ITEMS_H
