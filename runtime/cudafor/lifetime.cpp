// The ends of streams and of the device: what the runtime library keeps of them goes, too.
#include "core/allocators.h"
#include "core/default_stream.h"
#include "core/settings.h"
#include "cudafor/arguments.h"
#include "cudafor/entries.h"
#include "cufrt/reduction.h"
#include "report/report.h"

using namespace cufrt;

extern "C" {

int cufrt_f_cudaStreamDestroy(const CFI_cdesc_t *stream) {
  void *handle = nullptr;
  if (!cudafor::streamHandle(stream, handle))
    return cudafor::invalidValue();
  Error error = api().cudaStreamDestroy(handle);
  if (error == success && handle) {
    forgetAllocationsIn(handle);
    forgetStream(handle);
  }
  return error;
}

int cufrt_f_cudaDeviceReset() {
  if (settings().report)
    report::collect();
  cufrt_reduction_forget();
  return api().cudaDeviceReset();
}

int cufrt_f_cudaThreadExit() { return cufrt_f_cudaDeviceReset(); }
}
