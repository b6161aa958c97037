// cudaforSetDefaultStream and cudaforGetDefaultStream, also under their older names, which programs
// of the years before CUDA 10 use; see core/default_stream.h.
#include "core/default_stream.h"
#include "cudafor/arguments.h"
#include "cudafor/entries.h"

using namespace cufrt::cudafor;

namespace {

// Whether the handle is that of a stream, which the device is asked: null always is.
cufrt::Error knownStream(const CFI_cdesc_t *stream, void *&handle) {
  if (!stream || !streamHandle(stream, handle))
    return invalidValue();
  int flags;
  return handle ? cufrt::api().cudaStreamGetFlags(handle, &flags) : cufrt::success;
}

} // namespace

extern "C" {

int cufrt_f_cudaforSetDefaultStream_thread(const CFI_cdesc_t *stream) {
  void *handle = nullptr;
  if (cufrt::Error error = knownStream(stream, handle))
    return error;
  cufrt::setThreadStream(handle);
  return cufrt::success;
}

int cufrt_f_cudaforSetDefaultStream_data(const CFI_cdesc_t *devptr, const CFI_cdesc_t *stream) {
  Operand operand;
  size_t bytes;
  void *handle = nullptr;
  if (!operandOf(devptr, operand) || !operand.address)
    return invalidValue();
  if (cufrt::Error error = knownStream(stream, handle))
    return error;
  // Of an address or an element, where the data end is not known.
  bool isWhole = devptr->rank > 0 && multiply(operand.elements, operand.elementBytes, bytes);
  cufrt::setStreamOf(operand.address, isWhole ? bytes : operand.elementBytes, handle);
  return cufrt::success;
}

void *cufrt_f_cudaforGetDefaultStream(const CFI_cdesc_t *devptr) {
  Operand operand;
  bool isGiven = devptr && operandOf(devptr, operand) && operand.address;
  return isGiven ? cufrt::streamOf(operand.address) : cufrt::threadStream();
}

void *cufrt_f_cudaGetStreamDefault(const CFI_cdesc_t *devptr) {
  return cufrt_f_cudaforGetDefaultStream(devptr);
}

int cufrt_f_cudaSetStreamDefault(const CFI_cdesc_t *stream) {
  return cufrt_f_cudaforSetDefaultStream_thread(stream);
}

int cufrt_f_cudaSetStreamArray(const CFI_cdesc_t *devptr, const CFI_cdesc_t *stream) {
  return cufrt_f_cudaforSetDefaultStream_data(devptr, stream);
}
}
