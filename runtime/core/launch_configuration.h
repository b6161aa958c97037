// The launch configuration that chevrons in CUDA C left for the kernel's stub. Defined in the CUDA
// back end; null where the program is linked without it.
#ifndef CUFRT_CORE_LAUNCH_CONFIGURATION_H
#define CUFRT_CORE_LAUNCH_CONFIGURATION_H

#include "cufrt/device.h"

// Fills grid, block, dynamicSharedBytes and stream.
extern "C" __attribute__((weak)) cufrt::Error cufrt_cuda_pop_configuration(cufrt::Launch *launch);

#endif // CUFRT_CORE_LAUNCH_CONFIGURATION_H
