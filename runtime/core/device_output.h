// The order of what device code prints and what host code prints. See device_output.cpp.
#ifndef CUFRT_CORE_DEVICE_OUTPUT_H
#define CUFRT_CORE_DEVICE_OUTPUT_H

namespace cufrt {

// Called before each launch if it is set: what host code has printed comes before what the kernel
// prints. Set before main, in programs whose kernels print.
extern void (*beforeLaunch)();

} // namespace cufrt
#endif // CUFRT_CORE_DEVICE_OUTPUT_H
