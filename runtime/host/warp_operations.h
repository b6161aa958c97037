// Votes, shuffles and matches among the lanes of one warp, as the PTX ISA defines vote.sync,
// shfl.sync, match.sync and bar.warp.sync.
#ifndef CUFRT_HOST_WARP_OPERATIONS_H
#define CUFRT_HOST_WARP_OPERATIONS_H

#include "cufrt/abi.h"

#include <cstddef>
#include <cstdint>

namespace cufrt::host {

// The frames of a warp's lanes, which lie at a fixed distance.
struct LaneFrames {
  char *first;
  size_t stride;
  cufrt_frame &operator[](int lane) const {
    return *reinterpret_cast<cufrt_frame *>(first + static_cast<size_t>(lane) * stride);
  }
};

// Completes the operations that can be: those for which every lane of the mask that has not
// returned waits at the same operation with the same mask. Writes the results and returns the lanes
// that may go on. `waiting` are the lanes at a warp operation, `alive` those that have not
// returned.
uint32_t completeWarpOperations(LaneFrames frames, uint32_t waiting, uint32_t alive);

// "shuffle down", for messages.
const char *operationName(int operation);

} // namespace cufrt::host
#endif // CUFRT_HOST_WARP_OPERATIONS_H
