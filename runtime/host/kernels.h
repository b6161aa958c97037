// What programs have set for a kernel.
#ifndef CUFRT_HOST_KERNELS_H
#define CUFRT_HOST_KERNELS_H

#include "cufrt/abi.h"

namespace cufrt::host {

// Dynamic shared memory that a launch may ask for: what the static shared memory leaves of 48 KiB,
// or what cudaFuncSetAttribute has allowed.
size_t dynamicSharedLimit(const cufrt_kernel &kernel);

} // namespace cufrt::host
#endif // CUFRT_HOST_KERNELS_H
