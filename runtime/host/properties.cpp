// type(cudaDeviceProp) and the attributes of the host device. A core counts as a multiprocessor;
// textures and surfaces do not exist, so their sizes are 0.
#include "core/settings.h"
#include "cufrt/device_properties.h"
#include "host/functions.h"
#include "host/limits.h"
#include "host/memory_table.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace cufrt::host {
namespace {

// The value of the first line of /proc/cpuinfo that starts with `key`, without its end of line.
bool readCpuInfo(const char *key, char *value, size_t capacity) {
  std::FILE *file = std::fopen("/proc/cpuinfo", "r");
  if (!file)
    return false;
  char line[512];
  bool found = false;
  while (!found && std::fgets(line, sizeof line, file)) {
    const char *colon = std::strchr(line, ':');
    if (!colon || std::strncmp(line, key, std::strlen(key)) != 0)
      continue;
    std::snprintf(value, capacity, "%s", colon + 1 + std::strspn(colon + 1, " \t"));
    value[std::strcspn(value, "\n")] = '\0';
    found = true;
  }
  std::fclose(file);
  return found;
}

void setName(DeviceProperties &properties) {
  char model[160] = "unknown processor", name[sizeof properties.name];
  readCpuInfo("model name", model, sizeof model);
  std::snprintf(name, sizeof name, "Host CPU: %s", model);
  std::memset(properties.name, ' ', sizeof properties.name);
  std::memcpy(properties.name, name, std::strlen(name));
}

int clockRateKilohertz() {
  char text[64];
  if (!readCpuInfo("cpu MHz", text, sizeof text))
    return 0;
  return static_cast<int>(std::strtod(text, nullptr) * 1000);
}

void setLimits(DeviceProperties &properties) {
  properties.warpSize = warpSize;
  properties.maxThreadsPerBlock = static_cast<int32_t>(maxThreadsPerBlock);
  for (int i = 0; i < 3; ++i) {
    properties.maxThreadsDim[i] = static_cast<int32_t>(maxBlock[i]);
    properties.maxGridSize[i] = static_cast<int32_t>(maxGrid[i]);
  }
  properties.sharedMemPerBlock = maxSharedBytes;
  properties.sharedMemPerBlockOptin = maxSharedBytesOptin;
  properties.sharedMemPerMultiprocessor = sharedBytesPerMultiprocessor;
  properties.reservedSharedMemPerBlock = reservedSharedBytes;
  properties.maxThreadsPerMultiProcessor = maxThreadsPerMultiprocessor;
  properties.maxBlocksPerMultiProcessor = maxBlocksPerMultiprocessor;
  properties.regsPerBlock = 65536;
  properties.regsPerMultiprocessor = 65536;
  properties.totalConstMem = 65536;
  properties.memPitch = INT32_MAX;
}

void setMachine(DeviceProperties &properties) {
  setName(properties);
  properties.totalGlobalMem = static_cast<int64_t>(physicalMemory());
  properties.multiProcessorCount = settings().hostThreads;
  properties.clockRate = clockRateKilohertz();
  long cache = sysconf(_SC_LEVEL2_CACHE_SIZE);
  properties.l2CacheSize = cache > 0 ? static_cast<int32_t>(cache) : 0;
  properties.major = 9; // what its limits and warp operations follow
  properties.minor = 0;
}

void setFeatures(DeviceProperties &properties) {
  properties.integrated = 1;
  properties.canMapHostMemory = 1;
  properties.unifiedAddressing = 1;
  properties.managedMemory = 1;
  properties.hostNativeAtomicSupported = 1;
  properties.singleToDoublePrecisionPerfRatio = 2;
  properties.pageableMemoryAccess = 1;
  properties.concurrentManagedAccess = 1;
  properties.canUseHostPointerForRegisteredMem = 1;
  properties.cooperativeLaunch = 1;
  properties.clusterLaunch = 1;
  properties.pageableMemoryAccessUsesHostPageTables = 1;
  properties.directManagedMemAccessFromHost = 1;
  properties.hostRegisterSupported = 1;
  properties.memoryPoolsSupported = 1;
}

DeviceProperties makeProperties() {
  DeviceProperties properties{};
  setMachine(properties);
  setLimits(properties);
  setFeatures(properties);
  return properties;
}

const DeviceProperties &hostProperties() {
  static const DeviceProperties properties = makeProperties();
  return properties;
}

} // namespace

Error getProperties(DeviceProperties &properties, int device) {
  if (device != 0)
    return errorInvalidDevice;
  properties = hostProperties();
  return success;
}

Error cudaDeviceGetAttribute(int *value, int attribute, int device) {
  if (device != 0)
    return errorInvalidDevice;
  if (!value)
    return errorInvalidValue;
  const DeviceProperties &properties = hostProperties();
  switch (attribute) {
#define CUFRT_ATTRIBUTE(number, component)                                                         \
  case number:                                                                                     \
    *value = static_cast<int>(properties.component);                                               \
    return success;
#include "cufrt/attributes.def"
#undef CUFRT_ATTRIBUTE
  default:
    return errorInvalidValue;
  }
}

} // namespace cufrt::host
