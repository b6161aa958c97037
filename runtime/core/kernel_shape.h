// The launch configuration of CUF kernels, by the kind of device: see cufrt/kernel_shape.h.
#ifndef CUFRT_CORE_KERNEL_SHAPE_H
#define CUFRT_CORE_KERNEL_SHAPE_H

#include <cstdint>

namespace cufrt {

// `inChunks`: a block is a chunk of the iterations, on a CPU. `kernel` may be null: then a
// multiprocessor is taken to be full of blocks.
void completeKernelShape(int32_t (&shape)[6], const int64_t (&trips)[3], int loops, int access,
                         int ends, bool inChunks, const void *kernel = nullptr);

} // namespace cufrt
#endif // CUFRT_CORE_KERNEL_SHAPE_H
