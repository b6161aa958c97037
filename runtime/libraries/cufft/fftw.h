// FFTW, in both precisions, opened when it is first used. Threads of it take part in large
// transforms.
#ifndef CUFRT_LIBRARIES_CUFFT_FFTW_H
#define CUFRT_LIBRARIES_CUFFT_FFTW_H

#include <cstddef>

namespace cufrt::cufft {

struct Shape;

using FftwPlan = void *;

// Neither planning nor destroying may happen in two threads at a time; both take a lock here.
// `sign` is that of the exponent. Null if FFTW has no plan for it.
FftwPlan planTransform(const Shape &shape, bool inPlace, void *in, void *out, int sign);
void destroyTransform(FftwPlan plan, bool isDouble);

// New arrays must be aligned as those of planning were.
void runTransform(FftwPlan plan, int kind, void *in, void *out);
int alignmentOf(void *address, bool isDouble);

} // namespace cufrt::cufft
#endif // CUFRT_LIBRARIES_CUFFT_FFTW_H
