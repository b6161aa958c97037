// What a launch on the host device may ask for, and what a multiprocessor holds: the limits of a
// GPU of compute capability 9.0, so that a program that runs here also runs there.
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
inline constexpr size_t maxSharedBytesOptin = size_t{227} * 1024; // by cudaFuncSetAttribute
inline constexpr size_t sharedBytesPerMultiprocessor = size_t{228} * 1024;
inline constexpr size_t reservedSharedBytes = 1024; // of each block
inline constexpr int maxThreadsPerMultiprocessor = 2048;
inline constexpr int maxBlocksPerMultiprocessor = 32;
inline constexpr int64_t maxClusterBlocks = 8; // that every GPU with clusters takes

} // namespace cufrt::host
#endif // CUFRT_HOST_LIMITS_H
