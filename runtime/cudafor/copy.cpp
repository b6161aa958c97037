// Copies. Counts are in elements of the arrays, or in bytes where either side is an address.
#include "core/default_stream.h"
#include "cudafor/copy_arguments.h"
#include "cudafor/entries.h"

namespace cufrt::cudafor {
namespace {

struct Copy {
  char *to;
  const char *from;
  size_t bytes;
  int kind;
};

Error copyOf(const CFI_cdesc_t *dst, const CFI_cdesc_t *src, const CFI_cdesc_t *count,
             const CFI_cdesc_t *kdir, Copy &copy) {
  Operand to, from;
  size_t elements;
  if (!operandsOf(dst, src, to, from) || !sizeValue(count, elements) || !reaches(to, elements) ||
      !reaches(from, elements) || !multiply(elements, to.elementBytes, copy.bytes))
    return errorInvalidValue;
  copy.to = to.address;
  copy.from = from.address;
  return directionOf(kdir, copy.kind);
}

// A matrix copy; everything in bytes but the number of columns.
struct MatrixCopy {
  char *to;
  size_t toPitch;
  const char *from;
  size_t fromPitch;
  size_t width;
  size_t columns;
  int kind;
};

struct MatrixArguments {
  const CFI_cdesc_t *dst, *dpitch, *src, *spitch, *width, *height, *kdir;
};

Error matrixCopyOf(const MatrixArguments &arguments, MatrixCopy &copy) {
  Operand to, from;
  size_t toPitch, fromPitch, width;
  if (!operandsOf(arguments.dst, arguments.src, to, from) ||
      !sizeValue(arguments.dpitch, toPitch) || !sizeValue(arguments.spitch, fromPitch) ||
      !sizeValue(arguments.width, width) || !sizeValue(arguments.height, copy.columns))
    return errorInvalidValue;
  if (toPitch < width || fromPitch < width)
    return errorInvalidPitchValue;
  if (!reachesMatrix(to, toPitch, width, copy.columns) ||
      !reachesMatrix(from, fromPitch, width, copy.columns) ||
      !multiply(toPitch, to.elementBytes, copy.toPitch) ||
      !multiply(fromPitch, to.elementBytes, copy.fromPitch))
    return errorInvalidValue;
  copy.to = to.address;
  copy.from = from.address;
  copy.width = width * to.elementBytes;
  return directionOf(arguments.kdir, copy.kind);
}

} // namespace
} // namespace cufrt::cudafor

using namespace cufrt::cudafor;
using cufrt::api;

extern "C" {

int cufrt_f_cudaMemcpy(const CFI_cdesc_t *dst, const CFI_cdesc_t *src, const CFI_cdesc_t *count,
                       const CFI_cdesc_t *kdir) {
  Copy copy;
  if (cufrt::Error error = copyOf(dst, src, count, kdir, copy))
    return refuse(error);
  if (copy.bytes == 0)
    return cufrt::success;
  cufrt::Queue queue = cufrt::Queue::of(copy.to, copy.from);
  return queue.finish(queue.copy(copy.to, copy.from, copy.bytes, copy.kind));
}

int cufrt_f_cudaMemcpyAsync(const CFI_cdesc_t *dst, const CFI_cdesc_t *src,
                            const CFI_cdesc_t *count, const CFI_cdesc_t *kdir,
                            const CFI_cdesc_t *stream) {
  takeStreamForDirection(kdir, stream);
  Copy copy;
  void *handle;
  if (!streamHandle(stream, handle))
    return invalidValue();
  if (cufrt::Error error = copyOf(dst, src, count, kdir, copy))
    return refuse(error);
  return copy.bytes ? api().cudaMemcpyAsync(copy.to, copy.from, copy.bytes, copy.kind, handle)
                    : cufrt::success;
}

int cufrt_f_cudaMemcpy2D(const CFI_cdesc_t *dst, const CFI_cdesc_t *dpitch, const CFI_cdesc_t *src,
                         const CFI_cdesc_t *spitch, const CFI_cdesc_t *width,
                         const CFI_cdesc_t *height, const CFI_cdesc_t *kdir) {
  MatrixCopy copy;
  if (cufrt::Error error = matrixCopyOf({dst, dpitch, src, spitch, width, height, kdir}, copy))
    return refuse(error);
  if (copy.width == 0 || copy.columns == 0)
    return cufrt::success;
  cufrt::Queue queue = cufrt::Queue::of(copy.to, copy.from);
  return queue.finish(queue.copyRows(copy.to, copy.toPitch, copy.from, copy.fromPitch, copy.width,
                                     copy.columns, copy.kind));
}

int cufrt_f_cudaMemcpy2DAsync(const CFI_cdesc_t *dst, const CFI_cdesc_t *dpitch,
                              const CFI_cdesc_t *src, const CFI_cdesc_t *spitch,
                              const CFI_cdesc_t *width, const CFI_cdesc_t *height,
                              const CFI_cdesc_t *kdir, const CFI_cdesc_t *stream) {
  takeStreamForDirection(kdir, stream);
  MatrixCopy copy;
  void *handle;
  if (!streamHandle(stream, handle))
    return invalidValue();
  if (cufrt::Error error = matrixCopyOf({dst, dpitch, src, spitch, width, height, kdir}, copy))
    return refuse(error);
  if (copy.width == 0 || copy.columns == 0)
    return cufrt::success;
  return api().cudaMemcpy2DAsync(copy.to, copy.toPitch, copy.from, copy.fromPitch, copy.width,
                                 copy.columns, copy.kind, handle);
}

int cufrt_f_cudaMemcpyPeer(const CFI_cdesc_t *dst, const CFI_cdesc_t *dstdev,
                           const CFI_cdesc_t *src, const CFI_cdesc_t *srcdev,
                           const CFI_cdesc_t *count) {
  Copy copy;
  int to, from;
  if (!deviceNumber(dstdev, to) || !deviceNumber(srcdev, from))
    return refuse(cufrt::errorInvalidDevice);
  if (cufrt::Error error = copyOf(dst, src, count, nullptr, copy))
    return refuse(error);
  return api().cudaMemcpyPeer(copy.to, to, copy.from, from, copy.bytes);
}

int cufrt_f_cudaMemcpyPeerAsync(const CFI_cdesc_t *dst, const CFI_cdesc_t *dstdev,
                                const CFI_cdesc_t *src, const CFI_cdesc_t *srcdev,
                                const CFI_cdesc_t *count, const CFI_cdesc_t *stream) {
  Copy copy;
  int to, from;
  void *handle;
  if (!streamHandle(stream, handle))
    return invalidValue();
  if (!deviceNumber(dstdev, to) || !deviceNumber(srcdev, from))
    return refuse(cufrt::errorInvalidDevice);
  if (cufrt::Error error = copyOf(dst, src, count, nullptr, copy))
    return refuse(error);
  return api().cudaMemcpyPeerAsync(copy.to, to, copy.from, from, copy.bytes, handle);
}
}
