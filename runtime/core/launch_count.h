// How many kernels this process has launched: whoever has looked before knows whether there were
// more since.
#ifndef CUFRT_CORE_LAUNCH_COUNT_H
#define CUFRT_CORE_LAUNCH_COUNT_H

#include <atomic>
#include <cstdint>

namespace cufrt {

// By Fortran, and by chevrons of CUDA C that cufc links. What other libraries launch is not
// counted.
inline std::atomic<uint64_t> launchCount{0};

} // namespace cufrt
#endif // CUFRT_CORE_LAUNCH_COUNT_H
