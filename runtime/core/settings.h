// The environment variables that steer the runtime library. This is the only place that reads the
// environment; the values are read once, at the first use.
//
//   CUF_DEVICE        auto (default), gpu or host: where kernels run
//   CUF_HOST_THREADS  number of threads of the host device; default: the cores of this process
//   CUF_HOST_PROTECT  on (default) or off: whether the host device notices wrong addresses
//   CUF_REPORT        0 (default) or 1: device and times of kernels at the end of the program
#ifndef CUFRT_CORE_SETTINGS_H
#define CUFRT_CORE_SETTINGS_H

namespace cufrt {

enum class DeviceChoice { automatic, gpu, host };

struct Settings {
  DeviceChoice device;
  int hostThreads; // at least 1
  bool hostProtect;
  bool report;
};

const Settings &settings();

} // namespace cufrt
#endif // CUFRT_CORE_SETTINGS_H
