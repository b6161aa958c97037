// See arrays.h. The storage is allocated as device memory, and so counted with it.
#include "host/arrays.h"

#include "host/functions.h"
#include "host/handles.h"
#include "host/memory_table.h"

namespace cufrt::host {
namespace {

enum ArrayFlag : unsigned { // cudaArray...
  layered = 0x01,
  surfaceLoadStore = 0x02,
  cubemap = 0x04,
  textureGather = 0x08,
  colorAttachment = 0x20,
};
constexpr unsigned knownFlags =
    layered | surfaceLoadStore | cubemap | textureGather | colorAttachment;

enum FormatKind : int { signedFormat = 0, unsignedFormat = 1, floatFormat = 2 };

Handles<Array> &arrays() {
  static auto *instance = new Handles<Array>;
  return *instance;
}

// One, two or four components of equal size: integers of 8, 16 or 32 bits, floats of 16 or 32.
bool elementSize(const ChannelFormat &format, size_t &bytes) {
  bool isFloat = format.kind == floatFormat;
  if (!isFloat && format.kind != signedFormat && format.kind != unsignedFormat)
    return false;
  if (format.x != 16 && format.x != 32 && (isFloat || format.x != 8))
    return false;
  size_t components = format.y == 0 ? 1 : format.z == 0 ? 2 : 4;
  const int bits[4] = {format.x, format.y, format.z, format.w};
  for (size_t i = 0; i < 4; ++i)
    if (bits[i] != (i < components ? format.x : 0))
      return false;
  bytes = components * static_cast<size_t>(format.x) / 8;
  return true;
}

bool isShape(const Extent &extent, unsigned flags) {
  if (extent.width == 0 || (flags & ~knownFlags))
    return false;
  if (flags & cubemap) {
    bool cubes = flags & layered ? extent.depth % 6 == 0 && extent.depth > 0 : extent.depth == 6;
    return extent.width == extent.height && cubes;
  }
  if (flags & layered)
    return extent.depth > 0;
  if (flags & textureGather)
    return extent.height > 0 && extent.depth == 0;
  return extent.depth == 0 || extent.height > 0;
}

} // namespace

bool findArray(const void *handle, Array &array) {
  return arrays().get(const_cast<void *>(handle), array);
}

void forgetArrays() { arrays().clear(); }

Error cudaMalloc3DArray(void **handle, const ChannelFormat *format, const Extent *extent,
                        unsigned flags) {
  Array array;
  if (!handle || !format || !extent || !isShape(*extent, flags))
    return errorInvalidValue;
  if (!elementSize(*format, array.elementBytes))
    return errorInvalidChannelDescriptor;
  array.format = *format;
  array.extent = *extent;
  array.flags = flags;
  size_t bytes;
  if (__builtin_mul_overflow(extent->width, array.elementBytes, &bytes) ||
      __builtin_mul_overflow(bytes, array.rows(), &bytes) ||
      __builtin_mul_overflow(bytes, array.slices(), &bytes))
    return errorMemoryAllocation;
  void *data;
  if (Error error = allocate(&data, bytes, MemoryKind::device))
    return error;
  array.data = static_cast<char *>(data);
  *handle = arrays().create(array);
  return success;
}

Error cudaMallocArray(void **handle, const ChannelFormat *format, size_t width, size_t height,
                      unsigned flags) {
  const Extent extent{width, height, 0};
  return cudaMalloc3DArray(handle, format, &extent, flags);
}

Error cudaFreeArray(void *handle) {
  Array array;
  if (!handle)
    return success;
  if (!findArray(handle, array) || !arrays().destroy(handle))
    return errorInvalidResourceHandle;
  return release(array.data, MemoryKind::device);
}

Error cudaArrayGetInfo(ChannelFormat *format, Extent *extent, unsigned *flags, void *handle) {
  Array array;
  if (!findArray(handle, array))
    return errorInvalidResourceHandle;
  if (format)
    *format = array.format;
  if (extent)
    *extent = array.extent;
  if (flags)
    *flags = array.flags;
  return success;
}

} // namespace cufrt::host
