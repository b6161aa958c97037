// The host device's table (cufrt/device.h).
#include "host/capture.h"
#include "host/error_state.h"

namespace cufrt {
namespace {

using host::NodeType;

constexpr Device makeDevice() {
  Device device{};
  device.isHost = true;
#define CUFRT_API(name, parameters) device.name = host::Recorded<host::name>::call;
#include "cufrt/api.def"
#undef CUFRT_API
#define CUFRT_CAPTURE(name, ...) device.name = host::Recorded<__VA_ARGS__::call>::call
  CUFRT_CAPTURE(cudaMemcpyAsync, host::Capturable<host::cudaMemcpyAsync, NodeType::copy>);
  CUFRT_CAPTURE(cudaMemcpy2DAsync, host::Capturable<host::cudaMemcpy2DAsync, NodeType::copy>);
  CUFRT_CAPTURE(cudaMemsetAsync, host::Capturable<host::cudaMemsetAsync, NodeType::fill>);
  CUFRT_CAPTURE(cudaMemset2DAsync, host::Capturable<host::cudaMemset2DAsync, NodeType::fill>);
  CUFRT_CAPTURE(cudaMallocAsync, host::Uncapturable<host::cudaMallocAsync>);
  CUFRT_CAPTURE(cudaFreeAsync, host::Uncapturable<host::cudaFreeAsync>);
  CUFRT_CAPTURE(cudaMemcpy, host::InDefaultStream<host::cudaMemcpy>);
  CUFRT_CAPTURE(cudaMemcpy2D, host::InDefaultStream<host::cudaMemcpy2D>);
  CUFRT_CAPTURE(cudaMemset, host::InDefaultStream<host::cudaMemset>);
  CUFRT_CAPTURE(cudaMemset2D, host::InDefaultStream<host::cudaMemset2D>);
#undef CUFRT_CAPTURE
  // These report errors or undo them.
  device.cudaGetLastError = host::cudaGetLastError;
  device.cudaPeekAtLastError = host::cudaPeekAtLastError;
  device.cudaDeviceReset = host::cudaDeviceReset;
  device.launch = host::Recorded<host::launch>::call;
  device.getProperties = host::Recorded<host::getProperties>::call;
  device.getFunctionAttributes = host::Recorded<host::getFunctionAttributes>::call;
  device.errorName = host::errorName;
  device.errorString = host::errorString;
  device.registerModule = host::registerModule;
  device.placeManagedVariables = host::placeManagedVariables;
  return device;
}

} // namespace

const Device &hostDevice() {
  static constexpr Device device = makeDevice();
  return device;
}

} // namespace cufrt
