// What programs may set for the device. Preferences and limits are remembered, so that they can be
// read back; nothing on the host device depends on them.
#include "host/functions.h"

#include <atomic>
#include <cstdio>
#include <cstring>

namespace cufrt::host {
namespace {

constexpr int maxCacheConfig = 3, maxBankConfig = 2;
constexpr int scheduleMask = 7, otherFlags = 8 | 16 | 128; // cudaDevice*
constexpr const char *busId = "0000:00:00.0";

// The defaults of a GPU, by cudaLimit.
std::atomic<size_t> limits[] = {1024, 1 << 20, 8 << 20, 2, 2048, 128, 0};
constexpr int limitCount = std::size(limits);

std::atomic<int> deviceFlags{0}, cacheConfig{0}, bankConfig{0};

Error load(int *to, const std::atomic<int> &from) {
  if (!to)
    return errorInvalidValue;
  *to = from.load();
  return success;
}

Error storeUpTo(int largest, int value, std::atomic<int> &to) {
  if (value < 0 || value > largest)
    return errorInvalidValue;
  to.store(value);
  return success;
}

} // namespace

Error cudaSetDeviceFlags(int flags) {
  int schedule = flags & scheduleMask;
  bool severalSchedules = (schedule & (schedule - 1)) != 0;
  if (severalSchedules || (flags & ~(scheduleMask | otherFlags)) != 0)
    return errorInvalidValue;
  deviceFlags.store(flags);
  return success;
}

Error cudaGetDeviceFlags(int *flags) { return load(flags, deviceFlags); }

Error cudaSetValidDevices(const int *devices, int count) {
  if (count < 0 || count > 1 || (count > 0 && !devices))
    return errorInvalidValue;
  return count == 0 || devices[0] == 0 ? success : errorInvalidDevice;
}

Error cudaDeviceGetPCIBusId(char *text, int length, int device) {
  if (device != 0)
    return errorInvalidDevice;
  if (!text || length <= static_cast<int>(std::strlen(busId)))
    return errorInvalidValue;
  std::snprintf(text, static_cast<size_t>(length), "%s", busId);
  return success;
}

Error cudaDeviceGetByPCIBusId(int *device, const char *text) {
  if (!device || !text)
    return errorInvalidValue;
  unsigned domain, bus, slot;
  if (std::sscanf(text, "%x:%x:%x", &domain, &bus, &slot) != 3)
    return errorInvalidValue;
  if (domain || bus || slot)
    return errorInvalidDevice;
  *device = 0;
  return success;
}

Error cudaDeviceGetLimit(size_t *value, int limit) {
  if (!value)
    return errorInvalidValue;
  if (limit < 0 || limit >= limitCount)
    return errorUnsupportedLimit;
  *value = limits[limit].load();
  return success;
}

Error cudaDeviceSetLimit(int limit, size_t value) {
  if (limit < 0 || limit >= limitCount)
    return errorUnsupportedLimit;
  limits[limit].store(value);
  return success;
}

Error cudaDeviceGetCacheConfig(int *config) { return load(config, cacheConfig); }
Error cudaDeviceSetCacheConfig(int config) {
  return storeUpTo(maxCacheConfig, config, cacheConfig);
}
Error cudaDeviceGetSharedMemConfig(int *config) { return load(config, bankConfig); }
Error cudaDeviceSetSharedMemConfig(int config) {
  return storeUpTo(maxBankConfig, config, bankConfig);
}

Error cudaProfilerStart() { return success; }
Error cudaProfilerStop() { return success; }

} // namespace cufrt::host
