// CUDA arrays: allocation and what is known of one.
#include "cudafor/arguments.h"
#include "cudafor/entries.h"

using namespace cufrt::cudafor;
using cufrt::api;

extern "C" {

int cufrt_f_cudaMallocArray(void **carray, cufrt::ChannelFormat *cdesc, const CFI_cdesc_t *width,
                            const CFI_cdesc_t *height, const int *flags) {
  size_t elements, rows = 0;
  if (!carray || !cdesc || !sizeValue(width, elements) || (height && !sizeValue(height, rows)))
    return invalidValue();
  return api().cudaMallocArray(carray, cdesc, elements, rows,
                               flags ? static_cast<unsigned>(*flags) : 0);
}

int cufrt_f_cudaArrayGetInfo(cufrt::ChannelFormat *cdesc, cufrt::Extent *cext, int *flags,
                             void **carray) {
  unsigned options = 0;
  if (!cdesc || !cext || !flags || !carray)
    return invalidValue();
  cufrt::Error error = api().cudaArrayGetInfo(cdesc, cext, &options, *carray);
  *flags = static_cast<int>(options);
  return error;
}

int cufrt_f_cudaGetChannelDesc(cufrt::ChannelFormat *cdesc, void **carray) {
  cufrt::Extent extent;
  unsigned flags;
  return cdesc && carray ? api().cudaArrayGetInfo(cdesc, &extent, &flags, *carray) : invalidValue();
}
}
