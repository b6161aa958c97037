// The items of -gpu= and -Mcuda= that are words, from tables/options.toml.
#ifndef CUFC_DRIVER_GPU_ITEMS_H
#define CUFC_DRIVER_GPU_ITEMS_H

#include "driver/options.h"
#include <string_view>

namespace cufc {

enum class GpuItemState { Unknown, Applied, Ignored, Refused };

struct GpuItemResult {
  GpuItemState state = GpuItemState::Unknown;
  std::string_view help; // why an item is ignored or refused
};

// Changes `options` as the item asks.
GpuItemResult applyGpuItem(std::string_view item, Options &options);

} // namespace cufc
#endif // CUFC_DRIVER_GPU_ITEMS_H
