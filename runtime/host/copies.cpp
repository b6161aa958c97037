// Copies and fills on the host device. A range must lie in one allocation, and a side that the
// direction calls the device's must be memory that the device can reach; CUDA 13 on an H200 checks
// the same. A side that the direction calls the host's may be anything.
#include "host/arena.h"
#include "host/functions.h"
#include "host/memory_table.h"
#include "host/side.h"

#include <cstring>

namespace cufrt::host {
namespace {

// The bytes from the first row to the end of the last one; false if there are too many.
bool spanOf(size_t pitch, size_t width, size_t height, size_t &bytes) {
  return !__builtin_mul_overflow(pitch, height - 1, &bytes) &&
         !__builtin_add_overflow(bytes, width, &bytes);
}

bool areRowsUsable(const void *address, size_t pitch, size_t width, size_t height, bool onDevice) {
  size_t bytes;
  return spanOf(pitch, width, height, bytes) && isUsable(address, bytes, onDevice);
}

char *rowOf(void *base, size_t pitch, size_t row) {
  return static_cast<char *>(base) + pitch * row;
}

} // namespace

bool isUsable(const void *address, size_t bytes, bool onDevice) {
  Range range = rangeAt(address);
  if (range.place == Place::unknown)
    return !onDevice && address;
  if (bytes > range.bytes)
    return false;
  expectAccess(address);
  return true;
}

Error cudaMemcpy(void *to, const void *from, size_t bytes, int kind) {
  if (!isCopyKind(kind))
    return errorInvalidMemcpyDirection;
  if (bytes == 0)
    return success;
  if (!isUsable(to, bytes, isDeviceTarget(kind)) || !isUsable(from, bytes, isDeviceSource(kind)))
    return errorInvalidValue;
  std::memmove(to, from, bytes);
  return success;
}

Error cudaMemcpyAsync(void *to, const void *from, size_t bytes, int kind, void *stream) {
  return isStream(stream) ? cudaMemcpy(to, from, bytes, kind) : errorInvalidResourceHandle;
}

Error cudaMemcpyPeer(void *to, int toDevice, const void *from, int fromDevice, size_t bytes) {
  if (toDevice != 0 || fromDevice != 0)
    return errorInvalidDevice;
  return cudaMemcpy(to, from, bytes, deviceToDevice);
}

Error cudaMemcpyPeerAsync(void *to, int toDevice, const void *from, int fromDevice, size_t bytes,
                          void *stream) {
  return isStream(stream) ? cudaMemcpyPeer(to, toDevice, from, fromDevice, bytes)
                          : errorInvalidResourceHandle;
}

Error cudaMemcpy2D(void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width,
                   size_t height, int kind) {
  if (!isCopyKind(kind))
    return errorInvalidMemcpyDirection;
  if (width == 0 || height == 0)
    return success;
  if (width > toPitch || width > fromPitch)
    return errorInvalidPitchValue;
  if (!areRowsUsable(to, toPitch, width, height, isDeviceTarget(kind)) ||
      !areRowsUsable(from, fromPitch, width, height, isDeviceSource(kind)))
    return errorInvalidValue;
  for (size_t row = 0; row < height; ++row)
    std::memmove(rowOf(to, toPitch, row), rowOf(const_cast<void *>(from), fromPitch, row), width);
  return success;
}

Error cudaMemcpy2DAsync(void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width,
                        size_t height, int kind, void *stream) {
  return isStream(stream) ? cudaMemcpy2D(to, toPitch, from, fromPitch, width, height, kind)
                          : errorInvalidResourceHandle;
}

Error cudaMemset(void *pointer, int value, size_t bytes) {
  if (bytes == 0)
    return success;
  if (!isUsable(pointer, bytes, true))
    return errorInvalidValue;
  std::memset(pointer, value, bytes);
  return success;
}

Error cudaMemsetAsync(void *pointer, int value, size_t bytes, void *stream) {
  return isStream(stream) ? cudaMemset(pointer, value, bytes) : errorInvalidResourceHandle;
}

Error cudaMemset2D(void *pointer, size_t pitch, int value, size_t width, size_t height) {
  if (width == 0 || height == 0)
    return success;
  if (width > pitch || !areRowsUsable(pointer, pitch, width, height, true))
    return errorInvalidValue;
  for (size_t row = 0; row < height; ++row)
    std::memset(rowOf(pointer, pitch, row), value, width);
  return success;
}

Error cudaMemset2DAsync(void *pointer, size_t pitch, int value, size_t width, size_t height,
                        void *stream) {
  return isStream(stream) ? cudaMemset2D(pointer, pitch, value, width, height)
                          : errorInvalidResourceHandle;
}

} // namespace cufrt::host
