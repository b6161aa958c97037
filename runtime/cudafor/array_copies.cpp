// Copies from and to CUDA arrays.
//
// The forms with a count go on in the next row where one is full. CUDA calls its functions for this
// deprecated, so they are made of copies of rows: what is left of the first row, the whole rows,
// and the start of the last one. Between two arrays, whose rows may differ in length, it is a piece
// of a row at a time.
#include "cudafor/copy_arguments.h"
#include "cudafor/entries.h"

#include <algorithm>

namespace cufrt::cudafor {
namespace {

// Waits, unless `async`.
struct Order {
  bool async;
  void *stream;
};

// A place in an array; everything in bytes but the rows.
struct Place {
  void *array;
  size_t x, y;
};

// Rows of memory and a place in an array; `width` and `pitch` in bytes.
struct RowCopy {
  Place place;
  char *memory;
  size_t pitch, width, rows;
  int kind;
};

Error copyTo(const RowCopy &copy, const Order &order) {
  const auto &[place, memory, pitch, width, rows, kind] = copy;
  return order.async ? api().cudaMemcpy2DToArrayAsync(place.array, place.x, place.y, memory, pitch,
                                                      width, rows, kind, order.stream)
                     : api().cudaMemcpy2DToArray(place.array, place.x, place.y, memory, pitch,
                                                 width, rows, kind);
}

Error copyFrom(const RowCopy &copy, const Order &order) {
  const auto &[place, memory, pitch, width, rows, kind] = copy;
  return order.async ? api().cudaMemcpy2DFromArrayAsync(memory, pitch, place.array, place.x,
                                                        place.y, width, rows, kind, order.stream)
                     : api().cudaMemcpy2DFromArray(memory, pitch, place.array, place.x, place.y,
                                                   width, rows, kind);
}

using CopyRows = Error (*)(const RowCopy &copy, const Order &order);

// The place of `array` with an offset in elements of `unit` bytes.
bool placeOf(void **array, const CFI_cdesc_t *x, const CFI_cdesc_t *y, size_t unit, Place &place) {
  size_t elements;
  if (!array || !sizeValue(x, elements) || !multiply(elements, unit, place.x) ||
      !sizeValue(y, place.y))
    return false;
  place.array = *array;
  return true;
}

// Bytes of a row, and the bytes from `place` to the end of the array's last row.
Error extentFrom(const Place &place, size_t &rowBytes, size_t &left) {
  ChannelFormat format;
  Extent extent;
  unsigned flags;
  if (Error error = api().cudaArrayGetInfo(&format, &extent, &flags, place.array))
    return error;
  auto bits = static_cast<size_t>(format.x + format.y + format.z + format.w);
  rowBytes = extent.width * (bits / 8);
  size_t rows = std::max<size_t>(extent.height, 1);
  if (place.x >= rowBytes || place.y >= rows)
    return errorInvalidValue;
  left = (rows - place.y) * rowBytes - place.x;
  return success;
}

struct CountArguments {
  void **array;
  const CFI_cdesc_t *x, *y, *memory, *count, *kdir;
};

// `first.rows` is ignored, `bytes` may span several rows.
Error copyAcrossRows(const RowCopy &first, size_t bytes, CopyRows copyRows, const Order &order) {
  RowCopy copy = first;
  size_t rowBytes, left;
  if (Error error = extentFrom(copy.place, rowBytes, left))
    return refuse(error);
  if (bytes > left)
    return invalidValue();
  while (bytes > 0) {
    bool whole = copy.place.x == 0 && bytes >= rowBytes;
    copy.width = std::min(rowBytes - copy.place.x, bytes);
    copy.rows = whole ? bytes / rowBytes : 1;
    copy.pitch = copy.width;
    if (Error error = copyRows(copy, order))
      return error;
    copy.place = {copy.place.array, 0, copy.place.y + copy.rows};
    copy.memory += copy.width * copy.rows;
    bytes -= copy.width * copy.rows;
  }
  return success;
}

Error copyCount(const CountArguments &arguments, CopyRows copyRows, const Order &order) {
  Operand memory;
  RowCopy copy{};
  size_t elements, bytes;
  if (!operandOf(arguments.memory, memory) || !sizeValue(arguments.count, elements) ||
      !reaches(memory, elements) || !multiply(elements, memory.elementBytes, bytes) ||
      !placeOf(arguments.array, arguments.x, arguments.y, memory.elementBytes, copy.place))
    return invalidValue();
  if (Error error = directionOf(arguments.kdir, copy.kind))
    return refuse(error);
  copy.memory = memory.address;
  return copyAcrossRows(copy, bytes, copyRows, order);
}

struct MatrixArguments {
  void **array;
  const CFI_cdesc_t *x, *y, *memory, *pitch, *width, *height, *kdir;
};

Error copyMatrix(const MatrixArguments &arguments, CopyRows copyRows, const Order &order) {
  Operand memory;
  RowCopy copy{};
  size_t pitch, width;
  if (!operandOf(arguments.memory, memory) || !sizeValue(arguments.pitch, pitch) ||
      !sizeValue(arguments.width, width) || !sizeValue(arguments.height, copy.rows) ||
      !placeOf(arguments.array, arguments.x, arguments.y, memory.elementBytes, copy.place))
    return invalidValue();
  if (pitch < width)
    return refuse(errorInvalidPitchValue);
  if (!reachesMatrix(memory, pitch, width, copy.rows) ||
      !multiply(pitch, memory.elementBytes, copy.pitch))
    return invalidValue();
  if (Error error = directionOf(arguments.kdir, copy.kind))
    return refuse(error);
  copy.memory = memory.address;
  copy.width = width * memory.elementBytes;
  return copyRows(copy, order);
}

// Goes to the place `bytes` bytes further on in the same row.
void advance(Place &place, size_t bytes, size_t rowBytes) {
  place.x += bytes;
  if (place.x == rowBytes)
    place = {place.array, 0, place.y + 1};
}

Error copyBetween(Place to, Place from, size_t bytes, int kind) {
  size_t toRow, toLeft, fromRow, fromLeft;
  if (Error error = extentFrom(to, toRow, toLeft))
    return refuse(error);
  if (Error error = extentFrom(from, fromRow, fromLeft))
    return refuse(error);
  if (bytes > toLeft || bytes > fromLeft)
    return invalidValue();
  while (bytes > 0) {
    size_t piece = std::min({toRow - to.x, fromRow - from.x, bytes});
    if (Error error = api().cudaMemcpy2DArrayToArray(to.array, to.x, to.y, from.array, from.x,
                                                     from.y, piece, 1, kind))
      return error;
    advance(to, piece, toRow);
    advance(from, piece, fromRow);
    bytes -= piece;
  }
  return success;
}

// Copies between arrays stay on the device.
Error arrayDirection(const CFI_cdesc_t *kdir, int &kind) {
  kind = deviceToDevice;
  Error error = kdir ? directionOf(kdir, kind) : success;
  bool possible = kind == deviceToDevice || kind == copyDefault;
  return error ? error : possible ? success : errorInvalidMemcpyDirection;
}

constexpr Order waiting{false, nullptr};

} // namespace
} // namespace cufrt::cudafor

using namespace cufrt::cudafor;
using cufrt::api;

extern "C" {

int cufrt_f_cudaMemcpyToArray(void **dsta, const CFI_cdesc_t *dstx, const CFI_cdesc_t *dsty,
                              const CFI_cdesc_t *src, const CFI_cdesc_t *count,
                              const CFI_cdesc_t *kdir) {
  return copyCount({dsta, dstx, dsty, src, count, kdir}, copyTo, waiting);
}

int cufrt_f_cudaMemcpyToArrayAsync(void **dsta, const CFI_cdesc_t *dstx, const CFI_cdesc_t *dsty,
                                   const CFI_cdesc_t *src, const CFI_cdesc_t *count,
                                   const CFI_cdesc_t *kdir, const CFI_cdesc_t *stream) {
  takeStreamForDirection(kdir, stream);
  Order order{true, nullptr};
  return streamHandle(stream, order.stream)
             ? copyCount({dsta, dstx, dsty, src, count, kdir}, copyTo, order)
             : invalidValue();
}

int cufrt_f_cudaMemcpyFromArray(const CFI_cdesc_t *dst, void **srca, const CFI_cdesc_t *srcx,
                                const CFI_cdesc_t *srcy, const CFI_cdesc_t *count,
                                const CFI_cdesc_t *kdir) {
  return copyCount({srca, srcx, srcy, dst, count, kdir}, copyFrom, waiting);
}

int cufrt_f_cudaMemcpyFromArrayAsync(const CFI_cdesc_t *dst, void **srca, const CFI_cdesc_t *srcx,
                                     const CFI_cdesc_t *srcy, const CFI_cdesc_t *count,
                                     const CFI_cdesc_t *kdir, const CFI_cdesc_t *stream) {
  takeStreamForDirection(kdir, stream);
  Order order{true, nullptr};
  return streamHandle(stream, order.stream)
             ? copyCount({srca, srcx, srcy, dst, count, kdir}, copyFrom, order)
             : invalidValue();
}

int cufrt_f_cudaMemcpy2DToArray(void **dsta, const CFI_cdesc_t *dstx, const CFI_cdesc_t *dsty,
                                const CFI_cdesc_t *src, const CFI_cdesc_t *spitch,
                                const CFI_cdesc_t *width, const CFI_cdesc_t *height,
                                const CFI_cdesc_t *kdir) {
  return copyMatrix({dsta, dstx, dsty, src, spitch, width, height, kdir}, copyTo, waiting);
}

int cufrt_f_cudaMemcpy2DToArrayAsync(void **dsta, const CFI_cdesc_t *dstx, const CFI_cdesc_t *dsty,
                                     const CFI_cdesc_t *src, const CFI_cdesc_t *spitch,
                                     const CFI_cdesc_t *width, const CFI_cdesc_t *height,
                                     const CFI_cdesc_t *kdir, const CFI_cdesc_t *stream) {
  takeStreamForDirection(kdir, stream);
  Order order{true, nullptr};
  return streamHandle(stream, order.stream)
             ? copyMatrix({dsta, dstx, dsty, src, spitch, width, height, kdir}, copyTo, order)
             : invalidValue();
}

int cufrt_f_cudaMemcpy2DFromArray(const CFI_cdesc_t *dst, const CFI_cdesc_t *dpitch, void **srca,
                                  const CFI_cdesc_t *srcx, const CFI_cdesc_t *srcy,
                                  const CFI_cdesc_t *width, const CFI_cdesc_t *height,
                                  const CFI_cdesc_t *kdir) {
  return copyMatrix({srca, srcx, srcy, dst, dpitch, width, height, kdir}, copyFrom, waiting);
}

int cufrt_f_cudaMemcpy2DFromArrayAsync(const CFI_cdesc_t *dst, const CFI_cdesc_t *dpitch,
                                       void **srca, const CFI_cdesc_t *srcx,
                                       const CFI_cdesc_t *srcy, const CFI_cdesc_t *width,
                                       const CFI_cdesc_t *height, const CFI_cdesc_t *kdir,
                                       const CFI_cdesc_t *stream) {
  takeStreamForDirection(kdir, stream);
  Order order{true, nullptr};
  return streamHandle(stream, order.stream)
             ? copyMatrix({srca, srcx, srcy, dst, dpitch, width, height, kdir}, copyFrom, order)
             : invalidValue();
}

int cufrt_f_cudaMemcpyArrayToArray(void **dsta, const CFI_cdesc_t *dstx, const CFI_cdesc_t *dsty,
                                   void **srca, const CFI_cdesc_t *srcx, const CFI_cdesc_t *srcy,
                                   const CFI_cdesc_t *count, const CFI_cdesc_t *kdir) {
  Place to, from;
  size_t bytes;
  int kind;
  if (!placeOf(dsta, dstx, dsty, 1, to) || !placeOf(srca, srcx, srcy, 1, from) ||
      !sizeValue(count, bytes))
    return invalidValue();
  cufrt::Error error = arrayDirection(kdir, kind);
  return error ? refuse(error) : copyBetween(to, from, bytes, kind);
}

int cufrt_f_cudaMemcpy2DArrayToArray(void **dsta, const CFI_cdesc_t *dstx, const CFI_cdesc_t *dsty,
                                     void **srca, const CFI_cdesc_t *srcx, const CFI_cdesc_t *srcy,
                                     const CFI_cdesc_t *width, const CFI_cdesc_t *height,
                                     const CFI_cdesc_t *kdir) {
  Place to, from;
  size_t bytes, rows;
  int kind;
  if (!placeOf(dsta, dstx, dsty, 1, to) || !placeOf(srca, srcx, srcy, 1, from) ||
      !sizeValue(width, bytes) || !sizeValue(height, rows))
    return invalidValue();
  if (cufrt::Error error = arrayDirection(kdir, kind))
    return refuse(error);
  return api().cudaMemcpy2DArrayToArray(to.array, to.x, to.y, from.array, from.x, from.y, bytes,
                                        rows, kind);
}
}
