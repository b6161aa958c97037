// The host device's table (cufrt/device.h).
#include "host/error_state.h"
#include "host/functions.h"

namespace cufrt {
namespace {

constexpr Device makeDevice() {
  Device device{};
  device.isHost = true;
#define CUFRT_API(name, parameters) device.name = host::Recorded<host::name>::call;
#include "cufrt/api.def"
#undef CUFRT_API
  device.cudaGetDeviceCount = host::Always<host::cudaGetDeviceCount>::call;
  device.cudaSetDevice = host::Always<host::cudaSetDevice>::call;
  device.cudaGetDevice = host::Always<host::cudaGetDevice>::call;
  device.cudaDeviceGetAttribute = host::Always<host::cudaDeviceGetAttribute>::call;
  device.cudaDriverGetVersion = host::Always<host::cudaDriverGetVersion>::call;
  device.cudaRuntimeGetVersion = host::Always<host::cudaRuntimeGetVersion>::call;
  // These report errors or undo them.
  device.cudaGetLastError = host::cudaGetLastError;
  device.cudaPeekAtLastError = host::cudaPeekAtLastError;
  device.cudaDeviceReset = host::cudaDeviceReset;
  device.launch = host::Recorded<host::launch>::call;
  device.getProperties = host::Always<host::getProperties>::call;
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
