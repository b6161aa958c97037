// Host memory that the device can use: pinned, registered and managed memory.
#include "cudafor/arguments.h"
#include "cudafor/entries.h"

namespace cufrt::cudafor {
namespace {

Error allocatePinned(void **address, const CFI_cdesc_t *size, unsigned flags) {
  size_t bytes;
  return address && sizeValue(size, bytes) ? api().cudaHostAlloc(address, bytes, flags)
                                           : invalidValue();
}

// Managed data and how much of it is meant, in bytes.
bool rangeOf(const CFI_cdesc_t *devptr, const CFI_cdesc_t *count, char *&address, size_t &bytes) {
  Operand operand;
  size_t elements;
  if (!operandOf(devptr, operand) || !sizeValue(count, elements) || !reaches(operand, elements))
    return false;
  address = operand.address;
  return multiply(elements, operand.elementBytes, bytes);
}

} // namespace
} // namespace cufrt::cudafor

using namespace cufrt::cudafor;
using cufrt::api;

extern "C" {

int cufrt_f_cudaHostAlloc(void **hostptr, const CFI_cdesc_t *size, int flags) {
  return allocatePinned(hostptr, size, static_cast<unsigned>(flags));
}

int cufrt_f_cudaMallocHost(void **hostptr, const CFI_cdesc_t *size) {
  return allocatePinned(hostptr, size, 0);
}

int cufrt_f_cudaFreeHost(void **hostptr) {
  return hostptr ? api().cudaFreeHost(*hostptr) : invalidValue();
}

int cufrt_f_cudaHostGetDevicePointer(void **devptr, const CFI_cdesc_t *hostptr, const int *flags) {
  Operand host;
  if (!devptr || !operandOf(hostptr, host))
    return invalidValue();
  return api().cudaHostGetDevicePointer(devptr, host.address,
                                        flags ? static_cast<unsigned>(*flags) : 0);
}

int cufrt_f_cudaHostGetFlags(int *flags, const CFI_cdesc_t *hostptr) {
  Operand host;
  unsigned options = 0;
  if (!flags || !operandOf(hostptr, host))
    return invalidValue();
  cufrt::Error error = api().cudaHostGetFlags(&options, host.address);
  *flags = static_cast<int>(options);
  return error;
}

int cufrt_f_cudaHostRegister(const CFI_cdesc_t *hostptr, const CFI_cdesc_t *size,
                             const CFI_cdesc_t *flags) {
  Operand host;
  size_t bytes;
  int64_t options = 0;
  if (!operandOf(hostptr, host) || !sizeValue(size, bytes) || !reaches(inBytes(host), bytes) ||
      (flags && !integerValue(flags, options)))
    return invalidValue();
  return api().cudaHostRegister(host.address, bytes, static_cast<unsigned>(options));
}

int cufrt_f_cudaHostUnregister(const CFI_cdesc_t *hostptr) {
  Operand host;
  return operandOf(hostptr, host) ? api().cudaHostUnregister(host.address) : invalidValue();
}

int cufrt_f_cudaMemPrefetchAsync(const CFI_cdesc_t *devptr, const CFI_cdesc_t *count,
                                 const CFI_cdesc_t *device, const CFI_cdesc_t *stream) {
  char *address;
  size_t bytes;
  int number;
  void *handle;
  if (!rangeOf(devptr, count, address, bytes) || !streamHandle(stream, handle))
    return invalidValue();
  return deviceNumber(device, number) ? api().prefetch(address, bytes, number, handle)
                                      : refuse(cufrt::errorInvalidDevice);
}

int cufrt_f_cudaMemAdvise(const CFI_cdesc_t *devptr, const CFI_cdesc_t *count,
                          const CFI_cdesc_t *advice, const CFI_cdesc_t *device) {
  char *address;
  size_t bytes;
  int64_t what;
  int number;
  if (!rangeOf(devptr, count, address, bytes) || !integerValue(advice, what))
    return invalidValue();
  return deviceNumber(device, number) ? api().advise(address, bytes, static_cast<int>(what), number)
                                      : refuse(cufrt::errorInvalidDevice);
}

int cufrt_f_cudaPointerGetAttributes(cufrt::PointerAttributes *attributes, const CFI_cdesc_t *ptr) {
  Operand memory;
  return attributes && operandOf(ptr, memory) ? api().pointerAttributes(*attributes, memory.address)
                                              : invalidValue();
}
}
