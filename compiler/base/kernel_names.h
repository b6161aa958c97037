// How kernels that the compiler makes are named in object files.
#ifndef CUFC_BASE_KERNEL_NAMES_H
#define CUFC_BASE_KERNEL_NAMES_H

namespace cufc {

// Of a CUF kernel, as "cufk__QQmain_27" of line 27.
constexpr const char *cufKernelPrefix = "cufk_";

// Of the second kernel of some of them, which runs where the grid does not cover the loops.
constexpr const char *repeatingSuffix = "_repeating";

} // namespace cufc
#endif // CUFC_BASE_KERNEL_NAMES_H
