// What one launch on the host device may ask for: the limits of a GPU without opt-in, so that a
// program that runs here also runs there.
#ifndef CUFRT_HOST_LIMITS_H
#define CUFRT_HOST_LIMITS_H

#include <cstddef>
#include <cstdint>

namespace cufrt::host {

inline constexpr int warpSize = 32;
inline constexpr int64_t maxThreadsPerBlock = 1024;
inline constexpr int64_t maxBlock[3] = {1024, 1024, 64};
inline constexpr int64_t maxGrid[3] = {2147483647, 65535, 65535};
inline constexpr size_t maxSharedBytes = size_t{48} * 1024;
inline constexpr int maxThreadsPerMultiprocessor = 2048;

} // namespace cufrt::host
#endif // CUFRT_HOST_LIMITS_H
