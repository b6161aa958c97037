// Entry points about devices, kernels, host functions, graphs and other processes whose arguments
// the device does not take as they come.
#include "cudafor/arguments.h"
#include "cudafor/entries.h"
#include "cufrt/device_properties.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>

namespace cufrt::cudafor {
namespace {

constexpr int busIdBytes = 13; // "0000:00:00.0" and NUL

// How well a device meets what is asked for: components that it reaches, and among those the ones
// where it has no more than that.
struct Match {
  int reached = 0, exact = 0;
  bool betterThan(const Match &other) const {
    return reached != other.reached ? reached > other.reached : exact > other.exact;
  }
};

Match matchOf(const DeviceProperties &asked, const DeviceProperties &has) {
  Match match;
  auto compare = [&](int64_t wanted, int64_t value) {
    match.reached += wanted != 0 && value >= wanted;
    match.exact += wanted != 0 && value == wanted;
  };
#define CUFRT_ATTRIBUTE(number, component) compare(asked.component, has.component);
#include "cufrt/attributes.def"
#undef CUFRT_ATTRIBUTE
  compare(asked.totalGlobalMem, has.totalGlobalMem);
  return match;
}

Error chooseDevice(int &chosen, const DeviceProperties &asked) {
  int count = 0;
  if (Error error = api().cudaGetDeviceCount(&count))
    return error;
  Match best;
  best.reached = -1;
  for (int device = 0; device < count; ++device) {
    DeviceProperties has;
    if (Error error = api().getProperties(has, device))
      return error;
    Match match = matchOf(asked, has);
    if (!match.betterThan(best))
      continue;
    best = match;
    chosen = device;
  }
  return success;
}

// The address that a host function gets: that of a variable, or the one that a c_ptr holds.
bool dataAddress(const CFI_cdesc_t *argument, void *&address) {
  Operand operand;
  if (!operandOf(argument, operand))
    return false;
  address = operand.address;
  return true;
}

// Cuts the value or pads it with blanks.
void setText(void *text, size_t length, std::string_view value) {
  size_t used = std::min(value.size(), length);
  std::memcpy(text, value.data(), used);
  std::memset(static_cast<char *>(text) + used, ' ', length - used);
}

} // namespace
} // namespace cufrt::cudafor

using namespace cufrt::cudafor;
using cufrt::api;

extern "C" {

int cufrt_f_cudaChooseDevice(int *devnum, cufrt::DeviceProperties *prop) {
  return devnum && prop ? chooseDevice(*devnum, *prop) : invalidValue();
}

int cufrt_f_cudadevicegetpcibusid_(char *pcibusid, int len, int devnum, size_t pcibusidLength) {
  char text[busIdBytes + 3];
  if (!pcibusid || len < 1)
    return invalidValue();
  if (cufrt::Error error = api().cudaDeviceGetPCIBusId(text, sizeof text, devnum))
    return error;
  size_t used = std::min(std::strlen(text), static_cast<size_t>(len));
  setText(pcibusid, pcibusidLength, {text, used});
  return cufrt::success;
}

int cufrt_f_cudadevicegetbypcibusid_(int *devnum, const char *pcibusid, size_t pcibusidLength) {
  if (!devnum || !pcibusid)
    return invalidValue();
  std::string text(pcibusid, pcibusidLength);
  text.erase(text.find_last_not_of(' ') + 1);
  return api().cudaDeviceGetByPCIBusId(devnum, text.c_str());
}

int cufrt_f_cudaStreamAttachMemAsync(const CFI_cdesc_t *stream, const CFI_cdesc_t *devptr,
                                     const CFI_cdesc_t *length, const int *flags) {
  constexpr int attachSingle = 4;
  void *handle = nullptr;
  Operand operand;
  size_t elements = 0, bytes = 0;
  if (!streamHandle(stream, handle) || !operandOf(devptr, operand) ||
      (length && !sizeValue(length, elements)) || !reaches(operand, elements) ||
      !multiply(elements, operand.elementBytes, bytes))
    return invalidValue();
  return api().cudaStreamAttachMemAsync(handle, operand.address, bytes,
                                        flags ? *flags : attachSingle);
}

int cufrt_f_cudaFuncGetAttributes(cufrt::FunctionAttributes *attr, void *func) {
  return attr ? api().getFunctionAttributes(*attr, func) : invalidValue();
}

int cufrt_f_cudaLaunchHostFunc(const CFI_cdesc_t *stream, void *fn, const CFI_cdesc_t *userdata) {
  void *handle = nullptr, *data = nullptr;
  if (!streamHandle(stream, handle) || !fn || !dataAddress(userdata, data))
    return invalidValue();
  return api().cudaLaunchHostFunc(handle, reinterpret_cast<void (*)(void *)>(fn), data);
}

int cufrt_f_cudaStreamAddCallback(const CFI_cdesc_t *stream, void *callback,
                                  const CFI_cdesc_t *userdata, int flags) {
  void *handle = nullptr, *data = nullptr;
  if (!streamHandle(stream, handle) || !callback || !dataAddress(userdata, data))
    return invalidValue();
  auto function = reinterpret_cast<void (*)(void *, int, void *)>(callback);
  return api().cudaStreamAddCallback(handle, function, data, flags);
}

int cufrt_f_cudaThreadExchangeStreamCaptureMode(int *mode) {
  return mode ? api().cudaThreadExchangeStreamCaptureMode(mode) : invalidValue();
}

int cufrt_f_cudaGraphGetNodes_count(void **graph, size_t *numnodes) {
  return graph && numnodes ? api().cudaGraphGetNodes(*graph, nullptr, numnodes) : invalidValue();
}

int cufrt_f_cudaGraphGetNodes_nodes(void **graph, void **nodes, size_t *numnodes) {
  return graph && numnodes ? api().cudaGraphGetNodes(*graph, nodes, numnodes) : invalidValue();
}

int cufrt_f_cudaGraphGetRootNodes_count(void **graph, size_t *numnodes) {
  return graph && numnodes ? api().cudaGraphGetRootNodes(*graph, nullptr, numnodes)
                           : invalidValue();
}

int cufrt_f_cudaGraphGetRootNodes_nodes(void **graph, void **nodes, size_t *numnodes) {
  return graph && numnodes ? api().cudaGraphGetRootNodes(*graph, nodes, numnodes) : invalidValue();
}

int cufrt_f_cudaGraphInstantiate_flags(void **graphexec, void **graph, const int *flags) {
  if (!graphexec || !graph)
    return invalidValue();
  return api().cudaGraphInstantiate(graphexec, *graph, flags ? static_cast<unsigned>(*flags) : 0);
}

int cufrt_f_cudaGraphInstantiate_log(void **graphexec, void **graph, void **errornode,
                                     const CFI_cdesc_t *buffer, const CFI_cdesc_t *) {
  if (errornode)
    *errornode = nullptr;
  if (buffer && buffer->base_addr)
    setText(buffer->base_addr, buffer->elem_len, "");
  return cufrt_f_cudaGraphInstantiate_flags(graphexec, graph, nullptr);
}

int cufrt_f_cudaIpcGetMemHandle(cufrt::IpcHandle *handle, const CFI_cdesc_t *devptr) {
  Operand operand;
  if (!handle || !operandOf(devptr, operand))
    return invalidValue();
  return api().cudaIpcGetMemHandle(handle, operand.address);
}
}
