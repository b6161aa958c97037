// What programs may set for the device. Preferences and limits are remembered, so that they can be
// read back; nothing on the host device depends on them.
#include "host/functions.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>

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

// Hexadecimal numbers with colons between them.
bool parse(const char *text, unsigned long (&numbers)[3]) {
  for (unsigned long &number : numbers) {
    char *end = nullptr;
    number = std::strtoul(text, &end, 16);
    bool isLast = &number == &numbers[2];
    if (end == text || (!isLast && *end != ':'))
      return false;
    text = end + 1;
  }
  return true;
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
  unsigned long place[3]; // domain, bus, device
  if (!parse(text, place))
    return errorInvalidValue;
  if (place[0] || place[1] || place[2])
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
