// Copies and fills on the host device. All memory is one, so the direction is only checked.
#include "host/functions.h"

#include <cstring>

namespace cufrt::host {
namespace {

bool isKind(int kind) { return kind >= hostToHost && kind <= copyDefault; }

char *rowOf(void *base, size_t pitch, size_t row) {
  return static_cast<char *>(base) + pitch * row;
}

} // namespace

Error cudaMemcpy(void *to, const void *from, size_t bytes, int kind) {
  if (!isKind(kind))
    return errorInvalidMemcpyDirection;
  if (bytes == 0)
    return success;
  if (!to || !from)
    return errorInvalidValue;
  std::memmove(to, from, bytes);
  return success;
}

Error cudaMemcpyAsync(void *to, const void *from, size_t bytes, int kind, void *stream) {
  return isStream(stream) ? cudaMemcpy(to, from, bytes, kind) : errorInvalidResourceHandle;
}

Error cudaMemcpy2D(void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width,
                   size_t height, int kind) {
  if (!isKind(kind))
    return errorInvalidMemcpyDirection;
  if (width == 0 || height == 0)
    return success;
  if (width > toPitch || width > fromPitch)
    return errorInvalidPitchValue;
  if (!to || !from)
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
  if (!pointer)
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
  if (!pointer || width > pitch)
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
