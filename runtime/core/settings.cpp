// Reads and checks the environment. A value that makes no sense ends the program: silently running
// somewhere else than asked is worse.
#include "core/settings.h"
#include "cufrt/device.h"

#include <cstdlib>
#include <cstring>
#include <sched.h>

namespace cufrt {
namespace {

constexpr long maxHostThreads = 4096;

DeviceChoice readDeviceChoice() {
  const char *text = std::getenv("CUF_DEVICE");
  if (!text || !*text || !std::strcmp(text, "auto"))
    return DeviceChoice::automatic;
  if (!std::strcmp(text, "gpu"))
    return DeviceChoice::gpu;
  if (!std::strcmp(text, "host"))
    return DeviceChoice::host;
  fatal(nullptr, 0, "CUF_DEVICE is '%s'; it can be auto, gpu or host", text);
}

// The cores that this process may use, which in a container or under taskset are not all.
int coresOfProcess() {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  if (sched_getaffinity(0, sizeof cores, &cores) != 0)
    return 1;
  int count = CPU_COUNT(&cores);
  return count > 0 ? count : 1;
}

int readHostThreads() {
  const char *text = std::getenv("CUF_HOST_THREADS");
  if (!text || !*text)
    return coresOfProcess();
  char *end = nullptr;
  long count = std::strtol(text, &end, 10);
  if (*end || count < 1 || count > maxHostThreads)
    fatal(nullptr, 0, "CUF_HOST_THREADS is '%s'; it can be 1 to %ld", text, maxHostThreads);
  return static_cast<int>(count);
}

bool readHostProtect() {
  const char *text = std::getenv("CUF_HOST_PROTECT");
  if (!text || !*text || !std::strcmp(text, "on"))
    return true;
  if (!std::strcmp(text, "off"))
    return false;
  fatal(nullptr, 0, "CUF_HOST_PROTECT is '%s'; it can be on or off", text);
}

bool readReport() {
  const char *text = std::getenv("CUF_REPORT");
  if (!text || !*text || !std::strcmp(text, "0"))
    return false;
  if (!std::strcmp(text, "1"))
    return true;
  fatal(nullptr, 0, "CUF_REPORT is '%s'; it can be 0 or 1", text);
}

} // namespace

const Settings &settings() {
  static const Settings values{readDeviceChoice(), readHostThreads(), readHostProtect(),
                               readReport()};
  return values;
}

} // namespace cufrt
