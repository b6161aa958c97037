// Device management: there is one host device, number 0, and nothing to wait for.
#include "host/capture.h"
#include "host/memory_table.h"

namespace cufrt::host {
namespace {

constexpr int cudaVersion = 12000; // the API that the host device follows

Error store(int *to, int value) {
  if (!to)
    return errorInvalidValue;
  *to = value;
  return success;
}

} // namespace

Error cudaGetDeviceCount(int *count) { return store(count, 1); }
Error cudaSetDevice(int device) { return device == 0 ? success : errorInvalidDevice; }
Error cudaGetDevice(int *device) { return store(device, 0); }
Error cudaDeviceSynchronize() { return refuseAllCaptures(); }
Error cudaDriverGetVersion(int *version) { return store(version, cudaVersion); }
Error cudaRuntimeGetVersion(int *version) { return store(version, cudaVersion); }

Error cudaMemGetInfo(size_t *free, size_t *total) {
  if (!free || !total)
    return errorInvalidValue;
  *total = physicalMemory();
  *free = *total - allocatedBytes();
  return success;
}

Error placeManagedVariables(cufrt_module &module) {
  for (uint64_t i = 0; i < module.variable_count; ++i) {
    const cufrt_variable &variable = module.variables[i];
    if (variable.kind != CUFRT_MANAGED_VARIABLE)
      continue;
    if (!variable.host_storage)
      return errorInvalidSymbol;
    *static_cast<void **>(variable.shadow) = variable.host_storage;
  }
  return success;
}

} // namespace cufrt::host
