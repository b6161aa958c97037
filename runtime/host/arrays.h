// CUDA arrays of the host device: blocks of elements without padding. What a GPU's layout is made
// for, reading through textures, is not there.
#ifndef CUFRT_HOST_ARRAYS_H
#define CUFRT_HOST_ARRAYS_H

#include "cufrt/device.h"

namespace cufrt::host {

struct Array {
  ChannelFormat format;
  Extent extent; // in elements; a height or depth of 0 is kept for cudaArrayGetInfo
  unsigned flags;
  size_t elementBytes;
  char *data;

  size_t rowBytes() const { return extent.width * elementBytes; }
  size_t rows() const { return extent.height ? extent.height : 1; }
  size_t slices() const { return extent.depth ? extent.depth : 1; }
};

// False if there is no such array, or no longer.
bool findArray(const void *handle, Array &array);

} // namespace cufrt::host
#endif // CUFRT_HOST_ARRAYS_H
