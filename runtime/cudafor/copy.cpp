// Copies. Counts are in elements of the arrays, or in bytes where either side is an address.
#include "cudafor/arguments.h"
#include "cudafor/entries.h"

namespace cufrt::cudafor {
namespace {

// Both sides in the same unit; false if their elements differ in size.
bool operandsOf(const CFI_cdesc_t *dst, const CFI_cdesc_t *src, Operand &to, Operand &from) {
  if (!operandOf(dst, to) || !operandOf(src, from))
    return false;
  if (to.isAddress || from.isAddress) {
    to = inBytes(to);
    from = inBytes(from);
  }
  return to.elementBytes == from.elementBytes;
}

Error directionOf(const CFI_cdesc_t *kdir, int &kind) {
  int64_t value = copyDefault;
  if (kdir && !integerValue(kdir, value))
    return errorInvalidValue;
  kind = static_cast<int>(value);
  return value >= hostToHost && value <= copyDefault ? success : errorInvalidMemcpyDirection;
}

// A stream may stand in the place of `kdir`; its kind tells it from a direction.
void takeStreamForDirection(const CFI_cdesc_t *&kdir, const CFI_cdesc_t *&stream) {
  if (kdir && !stream && kdir->elem_len == sizeof(void *)) {
    stream = kdir;
    kdir = nullptr;
  }
}

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

// Whether `columns` columns of `width` elements, `pitch` elements apart, lie inside `operand`.
bool reachesMatrix(const Operand &operand, size_t pitch, size_t width, size_t columns) {
  if (width == 0 || columns == 0)
    return true;
  size_t before, elements;
  return multiply(pitch, columns - 1, before) &&
         !__builtin_add_overflow(before, width, &elements) && reaches(operand, elements);
}

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
  return copy.bytes ? api().cudaMemcpy(copy.to, copy.from, copy.bytes, copy.kind) : cufrt::success;
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
  return api().cudaMemcpy2D(copy.to, copy.toPitch, copy.from, copy.fromPitch, copy.width,
                            copy.columns, copy.kind);
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
}
