// How kernels that the compiler makes are named in object files.
#ifndef CUFC_BASE_KERNEL_NAMES_H
#define CUFC_BASE_KERNEL_NAMES_H

namespace cufc {

// Of a CUF kernel, as "cufk__QQmain_27" of line 27.
constexpr const char *cufKernelPrefix = "cufk_";

// Of the second kernel of some of them, which runs where the grid does not cover the loops.
constexpr const char *repeatingSuffix = "_repeating";

// Of the second entry of a kernel, for arrays without gaps.
constexpr const char *packedSuffix = "_packed";

// Behind it: of another such entry, for arrays of coordinates in space.
constexpr const char *spaceSuffix = "_in_space";

// Behind these: of another one, which takes fewer arrays to be of one shape.
constexpr const char *cautiousSuffix = "_of_shapes";

// Of the function that takes the place of both on a CPU. Not a kernel.
constexpr const char *cpuFormSuffix = "_on_cpu";

// A procedure that is called in it where an iteration of its innermost loop over the grid ends.
constexpr const char *chunkEnd = "cufc_chunk_end";

} // namespace cufc
#endif // CUFC_BASE_KERNEL_NAMES_H
