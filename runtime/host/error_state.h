// The last error of each host thread, and the error that a failed kernel leaves behind for all.
#ifndef CUFRT_HOST_ERROR_STATE_H
#define CUFRT_HOST_ERROR_STATE_H

#include "cufrt/device.h"
#include "host/arena.h"

namespace cufrt::host {

// Remembers `error` as this thread's last error unless it is success. Returns it.
Error recordError(Error error);

// A kernel that failed while running spoils the device: from then on every call returns this error,
// until cudaDeviceReset.
Error stickyError();
void setStickyError(Error error);

// A function of the host device with this bookkeeping around it. It may use device memory.
template <auto function>
struct Recorded;

template <typename... Parameters, Error (*function)(Parameters...)>
struct Recorded<function> {
  static Error call(Parameters... arguments) {
    if (Error error = stickyError())
      return recordError(error);
    DeviceWork work;
    return recordError(function(arguments...));
  }
};

// A function that answers although the device is spoiled: it says what the device is.
template <auto function>
struct Always;

template <typename... Parameters, Error (*function)(Parameters...)>
struct Always<function> {
  static Error call(Parameters... arguments) { return recordError(function(arguments...)); }
};

} // namespace cufrt::host
#endif // CUFRT_HOST_ERROR_STATE_H
