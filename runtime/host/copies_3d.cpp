// Copies and fills of blocks on the host device, and copies from and to CUDA arrays, which are all
// copies of blocks: rows of bytes in slices.
#include "host/arrays.h"
#include "host/functions.h"
#include "host/memory_table.h"
#include "host/side.h"

#include <cstring>

namespace cufrt::host {
namespace {

// A side of a copy: where its first byte is, how rows and slices follow, and how far it goes.
struct Side {
  char *data;
  size_t pitch, slicePitch;
  size_t width, rows, slices; // what is there from `data` on, width in bytes
  size_t unit;                // bytes of an element; 1 for memory that is not an array
};

struct Block {
  size_t width, rows, slices; // width in bytes
};

bool isEmpty(const Extent &extent) {
  return extent.width == 0 || extent.height == 0 || extent.depth == 0;
}

Error arraySide(const void *handle, const Position &at, Side &side) {
  Array array;
  if (!findArray(handle, array))
    return errorInvalidResourceHandle;
  if (at.x >= array.extent.width || at.y >= array.rows() || at.z >= array.slices())
    return errorInvalidValue;
  size_t row = array.rowBytes(), slice = row * array.rows(), x = at.x * array.elementBytes;
  side = {array.data + at.z * slice + at.y * row + x,
          row,
          slice,
          row - x,
          array.rows() - at.y,
          array.slices() - at.z,
          array.elementBytes};
  return success;
}

// Null and what is out of reach is found by `isReachable`.
Side pointerSide(const PitchedPointer &pointer, const Position &at) {
  size_t slice = pointer.pitch * pointer.ysize;
  auto *data = static_cast<char *>(pointer.address);
  return {data ? data + at.z * slice + at.y * pointer.pitch + at.x : nullptr,
          pointer.pitch,
          slice,
          SIZE_MAX,
          SIZE_MAX,
          SIZE_MAX,
          1};
}

Error sideOf(const void *array, const PitchedPointer &pointer, const Position &at, Side &side) {
  if ((array != nullptr) == (pointer.address != nullptr))
    return errorInvalidValue; // both or neither
  if (array)
    return arraySide(array, at, side);
  side = pointerSide(pointer, at);
  return success;
}

Error checkReach(const Side &side, const Block &block, bool onDevice) {
  if (block.width > side.width || block.rows > side.rows || block.slices > side.slices)
    return errorInvalidValue;
  if (block.width > side.pitch && (block.rows > 1 || block.slices > 1 || side.pitch > 0))
    return errorInvalidPitchValue;
  if (block.slices > 1 && side.slicePitch < side.pitch * block.rows)
    return errorInvalidValue;
  size_t before, rows, span;
  if (__builtin_mul_overflow(side.slicePitch, block.slices - 1, &before) ||
      __builtin_mul_overflow(side.pitch, block.rows - 1, &rows) ||
      __builtin_add_overflow(before, rows, &span) ||
      __builtin_add_overflow(span, block.width, &span))
    return errorInvalidValue;
  return isUsable(side.data, span, onDevice) ? success : errorInvalidValue;
}

char *rowOf(const Side &side, size_t slice, size_t row) {
  return side.data + slice * side.slicePitch + row * side.pitch;
}

Error copyBlock(const Side &to, const Side &from, const Block &block, int kind) {
  if (Error error = checkReach(to, block, isDeviceTarget(kind)))
    return error;
  if (Error error = checkReach(from, block, isDeviceSource(kind)))
    return error;
  for (size_t slice = 0; slice < block.slices; ++slice)
    for (size_t row = 0; row < block.rows; ++row)
      std::memmove(rowOf(to, slice, row), rowOf(from, slice, row), block.width);
  return success;
}

// The side of an array at a byte offset, of which whole elements are copied.
Error arraySideAt(const void *handle, size_t x, size_t y, size_t width, Side &side) {
  Array array;
  if (!findArray(handle, array))
    return errorInvalidResourceHandle;
  if (x % array.elementBytes != 0 || width % array.elementBytes != 0)
    return errorInvalidValue;
  return arraySide(handle, {x / array.elementBytes, y, 0}, side);
}

} // namespace

Error cudaMemcpy3D(const BlockCopy *copy) {
  Side to, from;
  if (!copy)
    return errorInvalidValue;
  if (!isCopyKind(copy->kind))
    return errorInvalidMemcpyDirection;
  if (Error error = sideOf(copy->targetArray, copy->target, copy->targetPosition, to))
    return error;
  if (Error error = sideOf(copy->sourceArray, copy->source, copy->sourcePosition, from))
    return error;
  if (copy->targetArray && copy->sourceArray && to.unit != from.unit)
    return errorInvalidValue;
  if (isEmpty(copy->extent))
    return success;
  size_t width;
  if (__builtin_mul_overflow(copy->extent.width, copy->targetArray ? to.unit : from.unit, &width))
    return errorInvalidValue;
  return copyBlock(to, from, {width, copy->extent.height, copy->extent.depth}, copy->kind);
}

Error cudaMemcpy3DAsync(const BlockCopy *copy, void *stream) {
  return isStream(stream) ? cudaMemcpy3D(copy) : errorInvalidResourceHandle;
}

Error cudaMemset3D(const PitchedPointer *pointer, int value, const Extent *extent) {
  if (!pointer || !extent)
    return errorInvalidValue;
  if (isEmpty(*extent))
    return success;
  Side side = pointerSide(*pointer, {0, 0, 0});
  if (checkReach(side, {extent->width, extent->height, extent->depth}, true))
    return errorInvalidValue;
  for (size_t slice = 0; slice < extent->depth; ++slice)
    for (size_t row = 0; row < extent->height; ++row)
      std::memset(rowOf(side, slice, row), value, extent->width);
  return success;
}

Error cudaMemset3DAsync(const PitchedPointer *pointer, int value, const Extent *extent,
                        void *stream) {
  return isStream(stream) ? cudaMemset3D(pointer, value, extent) : errorInvalidResourceHandle;
}

Error cudaMemcpy2DToArray(void *to, size_t x, size_t y, const void *from, size_t fromPitch,
                          size_t width, size_t height, int kind) {
  if (!isCopyKind(kind) || kind == deviceToHost || kind == hostToHost)
    return errorInvalidMemcpyDirection;
  Side target;
  if (Error error = arraySideAt(to, x, y, width, target))
    return error;
  if (width == 0 || height == 0)
    return success;
  const PitchedPointer source{const_cast<void *>(from), fromPitch, width, height};
  return copyBlock(target, pointerSide(source, {0, 0, 0}), {width, height, 1}, kind);
}

Error cudaMemcpy2DToArrayAsync(void *to, size_t x, size_t y, const void *from, size_t fromPitch,
                               size_t width, size_t height, int kind, void *stream) {
  return isStream(stream) ? cudaMemcpy2DToArray(to, x, y, from, fromPitch, width, height, kind)
                          : errorInvalidResourceHandle;
}

Error cudaMemcpy2DFromArray(void *to, size_t toPitch, const void *from, size_t x, size_t y,
                            size_t width, size_t height, int kind) {
  if (!isCopyKind(kind) || kind == hostToDevice || kind == hostToHost)
    return errorInvalidMemcpyDirection;
  Side source;
  if (Error error = arraySideAt(from, x, y, width, source))
    return error;
  if (width == 0 || height == 0)
    return success;
  const PitchedPointer target{to, toPitch, width, height};
  return copyBlock(pointerSide(target, {0, 0, 0}), source, {width, height, 1}, kind);
}

Error cudaMemcpy2DFromArrayAsync(void *to, size_t toPitch, const void *from, size_t x, size_t y,
                                 size_t width, size_t height, int kind, void *stream) {
  return isStream(stream) ? cudaMemcpy2DFromArray(to, toPitch, from, x, y, width, height, kind)
                          : errorInvalidResourceHandle;
}

Error cudaMemcpy2DArrayToArray(void *to, size_t toX, size_t toY, const void *from, size_t fromX,
                               size_t fromY, size_t width, size_t height, int kind) {
  if (kind != deviceToDevice && kind != copyDefault)
    return errorInvalidMemcpyDirection;
  Side target, source;
  if (Error error = arraySideAt(to, toX, toY, width, target))
    return error;
  if (Error error = arraySideAt(from, fromX, fromY, width, source))
    return error;
  if (width == 0 || height == 0)
    return success;
  return copyBlock(target, source, {width, height, 1}, kind);
}

} // namespace cufrt::host
