// Fills. A value whose bytes are all equal is one call of the device's own byte fill. Any other is
// written once, run by run of equal bytes, and then copied to the memory behind it, twice as much
// each time: everything stays in the stream and no host buffer has to outlive the call.
#include "core/default_stream.h"
#include "cudafor/arguments.h"
#include "cudafor/entries.h"
#include "cudafor/fill_value.h"

#include <algorithm>

namespace cufrt::cudafor {
namespace {

Error writeOnce(char *to, const FillValue &value, void *stream) {
  for (size_t offset = 0; offset < value.size(); offset += value.run(offset))
    if (Error error =
            api().cudaMemsetAsync(to + offset, value.bytes()[offset], value.run(offset), stream))
      return error;
  return success;
}

Error fill(char *to, const FillValue &value, size_t count, void *stream) {
  size_t bytes = value.size() * count;
  if (count == 0)
    return success;
  if (value.run(0) == value.size())
    return api().cudaMemsetAsync(to, value.bytes()[0], bytes, stream);
  Error error = writeOnce(to, value, stream);
  for (size_t done = value.size(); done < bytes && error == success;) {
    size_t next = std::min(done, bytes - done);
    error = api().cudaMemcpyAsync(to + done, to, next, copyDefault, stream);
    done += next;
  }
  return error;
}

struct Matrix {
  char *address;
  size_t pitch, width, columns; // pitch in bytes, width in elements
};

Error fillMatrix(const Matrix &matrix, const FillValue &value, void *stream) {
  size_t widthBytes = matrix.width * value.size();
  if (matrix.width == 0 || matrix.columns == 0)
    return success;
  if (value.run(0) == value.size())
    return api().cudaMemset2DAsync(matrix.address, matrix.pitch, value.bytes()[0], widthBytes,
                                   matrix.columns, stream);
  Error error = fill(matrix.address, value, matrix.width, stream);
  for (size_t done = 1; done < matrix.columns && error == success;) {
    size_t next = std::min(done, matrix.columns - done);
    error =
        api().cudaMemcpy2DAsync(matrix.address + done * matrix.pitch, matrix.pitch, matrix.address,
                                matrix.pitch, widthBytes, next, copyDefault, stream);
    done += next;
  }
  return error;
}

bool fillArguments(const CFI_cdesc_t *devptr, const CFI_cdesc_t *argument, const CFI_cdesc_t *count,
                   Operand &to, FillValue &value, size_t &elements) {
  size_t bytes;
  return operandOf(devptr, to) && value.assign(devptr, to.isAddress, argument) &&
         sizeValue(count, elements) && reaches(to, elements) &&
         multiply(elements, to.elementBytes, bytes);
}

struct MatrixArguments {
  const CFI_cdesc_t *devptr, *pitch, *value, *width, *height;
};

Error setMatrix(const MatrixArguments &arguments, void *stream) {
  Operand to;
  FillValue element;
  Matrix matrix;
  size_t pitch, before, elements;
  if (!fillArguments(arguments.devptr, arguments.value, arguments.width, to, element,
                     matrix.width) ||
      !sizeValue(arguments.pitch, pitch) || !sizeValue(arguments.height, matrix.columns))
    return invalidValue();
  if (pitch < matrix.width)
    return refuse(errorInvalidPitchValue);
  if (matrix.columns > 0 &&
      (!multiply(pitch, matrix.columns - 1, before) ||
       __builtin_add_overflow(before, matrix.width, &elements) || !reaches(to, elements) ||
       !multiply(pitch, to.elementBytes, matrix.pitch)))
    return invalidValue();
  matrix.address = to.address;
  return fillMatrix(matrix, element, stream);
}

} // namespace
} // namespace cufrt::cudafor

using namespace cufrt::cudafor;
using cufrt::api;

extern "C" {

int cufrt_f_cudaMemset(const CFI_cdesc_t *devptr, const CFI_cdesc_t *value,
                       const CFI_cdesc_t *count) {
  Operand to;
  FillValue element;
  size_t elements;
  if (!fillArguments(devptr, value, count, to, element, elements))
    return invalidValue();
  void *stream = cufrt::streamOf(to.address);
  cufrt::Error error = fill(to.address, element, elements, stream);
  return error ? error : api().cudaStreamSynchronize(stream);
}

int cufrt_f_cudaMemsetAsync(const CFI_cdesc_t *devptr, const CFI_cdesc_t *value,
                            const CFI_cdesc_t *count, const CFI_cdesc_t *stream) {
  Operand to;
  FillValue element;
  size_t elements;
  void *handle;
  if (!fillArguments(devptr, value, count, to, element, elements) || !streamHandle(stream, handle))
    return invalidValue();
  return fill(to.address, element, elements, handle);
}

int cufrt_f_cudaMemset2D(const CFI_cdesc_t *devptr, const CFI_cdesc_t *pitch,
                         const CFI_cdesc_t *value, const CFI_cdesc_t *width,
                         const CFI_cdesc_t *height) {
  Operand to;
  void *stream = operandOf(devptr, to) ? cufrt::streamOf(to.address) : nullptr;
  cufrt::Error error = setMatrix({devptr, pitch, value, width, height}, stream);
  return error ? error : api().cudaStreamSynchronize(stream);
}

int cufrt_f_cudaMemset2DAsync(const CFI_cdesc_t *devptr, const CFI_cdesc_t *pitch,
                              const CFI_cdesc_t *value, const CFI_cdesc_t *width,
                              const CFI_cdesc_t *height, const CFI_cdesc_t *stream) {
  void *handle;
  return streamHandle(stream, handle) ? setMatrix({devptr, pitch, value, width, height}, handle)
                                      : invalidValue();
}
}
