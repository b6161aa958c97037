// What kernels print on the host device, and the order of the output of kernels and of host code.
//
// Kernels print through C's stdout, the GPU's at synchronisation and the host device's at once, and
// host code through flang's unit 6, which has a buffer of its own. So in a program whose kernels
// print, stdout is written line by line, unit 6 is flushed before each launch, and the program
// waits for the device when it ends. Nothing else refers to this file than kernels that print, so
// it is linked into such programs alone, and its constructor knows.
#include "core/device_output.h"
#include "cufrt/abi.h"
#include "cufrt/device.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>

extern "C" {
void *_FortranAioBeginFlush(int unit, const char *file, int line);
int _FortranAioEndIoStatement(void *statement);
}

namespace cufrt {
namespace {

void waitForDevice() { api().cudaDeviceSynchronize(); }

void orderOutput() {
  _FortranAioEndIoStatement(_FortranAioBeginFlush(6, __FILE__, __LINE__));
  // Handlers run in reverse order, so this one comes before those of the device's own library.
  static std::once_flag once;
  std::call_once(once, [] {
    api();
    std::atexit(waitForDevice);
  });
}

__attribute__((constructor)) void expectOutput() {
  std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
  beforeLaunch = orderOutput;
}

} // namespace
} // namespace cufrt

extern "C" int32_t cufrt_print(const char *, const void *arguments) {
  const char *text;
  std::memcpy(&text, arguments, sizeof text);
  std::fwrite(text, 1, std::strlen(text), stdout); // one call, so that lines stay whole
  return 1;
}
