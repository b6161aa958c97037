// The largest page that the system may have: a multiple of the one that it has. Linux on aarch64 is
// built for 4, 16 or 64 kB, and servers of NVIDIA run the last.
#ifndef CUFRT_CORE_PAGE_SIZE_H
#define CUFRT_CORE_PAGE_SIZE_H

#include <cstddef>

namespace cufrt {

#if defined(__aarch64__)
inline constexpr size_t pageBytes = 65536;
#else
inline constexpr size_t pageBytes = 4096;
#endif

} // namespace cufrt
#endif // CUFRT_CORE_PAGE_SIZE_H
