// Memory for array results that kernels compute for host code (compiler/lower/temporaries.h):
// device memory if the result stays there, otherwise pinned memory, which both sides can use. The
// kernels run in the stream of this host thread.
#include "core/default_stream.h"
#include "core/location.h"
#include "cufrt/device.h"

namespace cufrt {
namespace {

// One byte for an empty array, whose address is used all the same.
size_t atLeastOne(int64_t bytes) { return bytes > 0 ? static_cast<size_t>(bytes) : 1; }

} // namespace
} // namespace cufrt

using namespace cufrt;

extern "C" void *cufrt_device_temporary(int64_t bytes) {
  void *memory = nullptr;
  check(api().cudaMallocAsync(&memory, atLeastOne(bytes), threadStream()), {},
        "allocating %lld bytes of device memory for a result", static_cast<long long>(bytes));
  return memory;
}

extern "C" void *cufrt_pinned_temporary(int64_t bytes) {
  void *memory = nullptr;
  check(api().cudaHostAlloc(&memory, atLeastOne(bytes), 0), {},
        "allocating %lld bytes of pinned memory for a result", static_cast<long long>(bytes));
  return memory;
}

// Waits for the kernel that fills a temporary in pinned memory.
extern "C" void cufrt_await_temporary(const char *file, int32_t line) {
  check(api().cudaStreamSynchronize(threadStream()), {file, line},
        "an array intrinsic of device data");
}

extern "C" void cufrt_free_device_temporary(void *memory) {
  api().cudaFreeAsync(memory, threadStream());
}
extern "C" void cufrt_free_pinned_temporary(void *memory) { api().cudaFreeHost(memory); }
