// Memory for array results that kernels compute for host code (compiler/lower/temporaries.h):
// device memory if the result stays there, otherwise pinned memory, which both sides can use; and
// for arguments that are to be managed data (compiler/lower/managed_arguments.cpp). The kernels run
// in the stream of this host thread.
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

// For the value of an expression that host code passes to a procedure as managed data.
extern "C" void *cufrt_managed_temporary(int64_t bytes, const char *file, int32_t line) {
  void *memory = nullptr;
  constexpr unsigned attachGlobal = 1; // cudaMemAttachGlobal
  check(api().cudaMallocManaged(&memory, atLeastOne(bytes), attachGlobal), {file, line},
        "allocating %lld bytes of managed memory for an argument", static_cast<long long>(bytes));
  return memory;
}

// Kernels that use it come to their end first.
extern "C" void cufrt_free_managed_temporary(void *memory) { api().cudaFree(memory); }

extern "C" void cufrt_free_device_temporary(void *memory) {
  api().cudaFreeAsync(memory, threadStream());
}
extern "C" void cufrt_free_pinned_temporary(void *memory) { api().cudaFreeHost(memory); }
