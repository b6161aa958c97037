// The CUDA back end: the table of cufrt/device.h filled with libcudart's functions.
//
// The table passes handles as void *, enumerations as int and structures by address, so each
// function is wrapped by a template that casts the arguments; most wrappers compile to jumps.
#include "cuda/back_end.h"
#include "cuda/host_runtime.h"

#include <bit>
#include <type_traits>

// The widths of banks of shared memory: programs may still ask for them.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace cufrt {
namespace {

template <typename Theirs, typename Ours>
Theirs converted(Ours argument) {
  if constexpr (std::is_class_v<Theirs>)
    return std::bit_cast<Theirs>(*argument); // checks that the sizes agree
  else
    return (Theirs)argument;
}

template <auto function, typename Signature>
struct Wrapped;

template <typename... Theirs, cudaError_t (*function)(Theirs...), typename... Ours>
struct Wrapped<function, Error (*)(Ours...)> {
  static Error call(Ours... arguments) { return function(converted<Theirs>(arguments)...); }
};

const char *errorName(Error error) { return ::cudaGetErrorName(static_cast<cudaError_t>(error)); }

const char *errorString(Error error) {
  return ::cudaGetErrorString(static_cast<cudaError_t>(error));
}

constexpr Device makeDevice() {
  Device device{};
  device.isHost = false;
#define CUFRT_API(name, parameters) device.name = Wrapped<::name, decltype(device.name)>::call;
#include "cufrt/api.def"
#undef CUFRT_API
  device.launch = cuda::launch;
  device.cudaFuncSetAttribute = cuda::setFunctionAttribute;
  device.cudaFuncSetCacheConfig = cuda::setFunctionCacheConfig;
  device.getProperties = cuda::getProperties;
  device.getFunctionAttributes = cuda::getFunctionAttributes;
  device.pointerAttributes = cuda::pointerAttributes;
  device.prefetch = cuda::prefetch;
  device.advise = cuda::advise;
  device.errorName = errorName;
  device.errorString = errorString;
  device.registerModule = cuda::registerModule;
  device.placeManagedVariables = cuda::placeManagedVariables;
  return device;
}

} // namespace
} // namespace cufrt

extern "C" const cufrt::Device *cufrt_cuda_device() {
  static constexpr cufrt::Device device = cufrt::makeDevice();
  return &device;
}
