// Invalid addresses in kernels: a message that names the kernel instead of a bare signal.
#ifndef CUFRT_HOST_FAULT_H
#define CUFRT_HOST_FAULT_H

#include "cufrt/abi.h"

namespace cufrt::host {

// While it lives, an access to an invalid address by this thread ends the program with a message
// that names the kernel, and exit status 1. On a GPU it would be cudaErrorIllegalAddress (700),
// from which no further work on the device is possible either.
class FaultScope {
public:
  explicit FaultScope(const cufrt_kernel &kernel);
  ~FaultScope();
  FaultScope(const FaultScope &) = delete;
  FaultScope &operator=(const FaultScope &) = delete;
};

} // namespace cufrt::host
#endif // CUFRT_HOST_FAULT_H
