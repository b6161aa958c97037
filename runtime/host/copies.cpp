// Copies and fills on the host device. All memory is one, so the direction only says which side
// must be memory that kernels can use; an address that is not, or no longer, is refused, and so is
// a copy that reaches past the end of an allocation.
#include "host/functions.h"
#include "host/memory_table.h"
#include "host/side.h"

#include <cstring>

namespace cufrt::host {
namespace {

char *rowOf(void *base, size_t pitch, size_t row) {
  return static_cast<char *>(base) + pitch * row;
}

// The bytes from the first to the last of `height` rows; false if there is no such number.
bool spanOf(size_t pitch, size_t width, size_t height, size_t &span) {
  return !__builtin_mul_overflow(pitch, height - 1, &span) &&
         !__builtin_add_overflow(span, width, &span);
}

Error checkCopy(const void *to, size_t toBytes, const void *from, size_t fromBytes, int kind) {
  return isUsable(to, toBytes, isDeviceTarget(kind)) &&
                 isUsable(from, fromBytes, isDeviceSource(kind))
             ? success
             : errorInvalidValue;
}

} // namespace

bool isUsable(const void *pointer, size_t bytes, bool onDevice) {
  return pointer && (onDevice ? isDeviceMemory(pointer, bytes) : isWithin(pointer, bytes));
}

Error cudaMemcpy(void *to, const void *from, size_t bytes, int kind) {
  if (!isCopyKind(kind))
    return errorInvalidMemcpyDirection;
  if (bytes == 0)
    return success;
  if (Error error = checkCopy(to, bytes, from, bytes, kind))
    return error;
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
  size_t toSpan, fromSpan;
  if (!spanOf(toPitch, width, height, toSpan) || !spanOf(fromPitch, width, height, fromSpan))
    return errorInvalidValue;
  if (Error error = checkCopy(to, toSpan, from, fromSpan, kind))
    return error;
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
  size_t span;
  if (width > pitch || !spanOf(pitch, width, height, span) || !isUsable(pointer, span, true))
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
