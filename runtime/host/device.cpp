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
  // These tell about the device also when it is spoiled.
  device.cudaGetDeviceCount = host::Always<host::cudaGetDeviceCount>::call;
  device.cudaSetDevice = host::Always<host::cudaSetDevice>::call;
  device.cudaGetDevice = host::Always<host::cudaGetDevice>::call;
  device.cudaDeviceGetAttribute = host::Always<host::cudaDeviceGetAttribute>::call;
  device.cudaDriverGetVersion = host::Always<host::cudaDriverGetVersion>::call;
  device.cudaRuntimeGetVersion = host::Always<host::cudaRuntimeGetVersion>::call;
  // How these behave while a stream captures.
#define CUFRT_ROUTE(name, ...) device.name = host::Recorded<host::__VA_ARGS__::call>::call
#define CUFRT_COPY(name) CUFRT_ROUTE(name, Capturable<host::name, NodeType::copy>)
#define CUFRT_FILL(name) CUFRT_ROUTE(name, Capturable<host::name, NodeType::fill>)
#define CUFRT_WAITING(name) CUFRT_ROUTE(name, InDefaultStream<host::name>)
#define CUFRT_UNCAPTURABLE(name) CUFRT_ROUTE(name, Uncapturable<host::name>)
  CUFRT_COPY(cudaMemcpyAsync);
  CUFRT_COPY(cudaMemcpy2DAsync);
  CUFRT_COPY(cudaMemcpyPeerAsync);
  CUFRT_COPY(cudaMemcpy3DAsync);
  CUFRT_COPY(cudaMemcpy2DToArrayAsync);
  CUFRT_COPY(cudaMemcpy2DFromArrayAsync);
  CUFRT_FILL(cudaMemsetAsync);
  CUFRT_FILL(cudaMemset2DAsync);
  CUFRT_FILL(cudaMemset3DAsync);
  CUFRT_WAITING(cudaMemcpy);
  CUFRT_WAITING(cudaMemcpy2D);
  CUFRT_WAITING(cudaMemcpyPeer);
  CUFRT_WAITING(cudaMemcpy3D);
  CUFRT_WAITING(cudaMemcpy2DToArray);
  CUFRT_WAITING(cudaMemcpy2DFromArray);
  CUFRT_WAITING(cudaMemcpy2DArrayToArray);
  CUFRT_WAITING(cudaMemset);
  CUFRT_WAITING(cudaMemset2D);
  CUFRT_WAITING(cudaMemset3D);
  CUFRT_UNCAPTURABLE(cudaMallocAsync);
  CUFRT_UNCAPTURABLE(cudaFreeAsync);
#undef CUFRT_ROUTE
#undef CUFRT_COPY
#undef CUFRT_FILL
#undef CUFRT_WAITING
#undef CUFRT_UNCAPTURABLE
  // These report errors or undo them.
  device.cudaGetLastError = host::cudaGetLastError;
  device.cudaPeekAtLastError = host::cudaPeekAtLastError;
  device.cudaDeviceReset = host::cudaDeviceReset;
  device.launch = host::Recorded<host::launch>::call;
  device.getProperties = host::Always<host::getProperties>::call;
  device.getFunctionAttributes = host::Recorded<host::getFunctionAttributes>::call;
  device.pointerAttributes = host::Recorded<host::pointerAttributes>::call;
  device.prefetch = host::Recorded<host::prefetch>::call;
  device.advise = host::Recorded<host::advise>::call;
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
