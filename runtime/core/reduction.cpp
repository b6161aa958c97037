// Workspaces of reductions: one a device and stream, since the launches of a stream run one after
// the other. They grow, and live until the program ends or the device is reset.
#include "cufrt/reduction.h"
#include "core/default_stream.h"
#include "core/location.h"
#include "cufrt/device.h"

#include <map>
#include <mutex>

namespace cufrt {
namespace {

struct Workspace {
  void *memory = nullptr;
  size_t bytes = 0;
};

struct Workspaces {
  std::mutex mutex;
  std::map<std::pair<int, void *>, Workspace> byDeviceAndStream;
};

Workspaces &workspaces() {
  static Workspaces *instance = new Workspaces; // launches may outlive main's static objects
  return *instance;
}

void *handle(const int64_t *stream) {
  return stream ? reinterpret_cast<void *>(*stream) : threadStream();
}

// The heads of new memory must be zero before the launch, which is on the same stream.
Error enlarge(Workspace &workspace, size_t bytes, void *stream) {
  if (workspace.memory)
    if (Error error = api().cudaFree(workspace.memory))
      return error;
  workspace = {};
  if (Error error = api().cudaMalloc(&workspace.memory, bytes))
    return error;
  workspace.bytes = bytes;
  return api().cudaMemsetAsync(workspace.memory, 0, CUFRT_REDUCTION_PARTIALS, stream);
}

} // namespace
} // namespace cufrt

using namespace cufrt;

extern "C" void *cufrt_reduction_workspace(int32_t x, int32_t y, int32_t z, int32_t slots,
                                           const int64_t *stream) {
  int device = 0;
  api().cudaGetDevice(&device);
  size_t blocks = 1; // a configuration that cannot be launched needs no more than a valid address
  for (int32_t count : {x, y, z})
    blocks *= static_cast<size_t>(count > 0 ? count : 1);
  size_t bytes = CUFRT_REDUCTION_PARTIALS +
                 blocks * static_cast<size_t>(slots) * CUFRT_REDUCTION_PARTIAL_BYTES;
  std::lock_guard lock(workspaces().mutex);
  Workspace &workspace = workspaces().byDeviceAndStream[{device, handle(stream)}];
  if (workspace.bytes < bytes)
    check(enlarge(workspace, bytes, handle(stream)), {}, "allocating %zu bytes for a reduction",
          bytes);
  return workspace.memory;
}

extern "C" void cufrt_reduction_result(void *workspace, int32_t slot, void *to, int32_t bytes,
                                       const int64_t *stream, const char *file, int32_t line) {
  const char *from = static_cast<char *>(workspace) + ptrdiff_t{slot} * CUFRT_REDUCTION_HEAD +
                     CUFRT_REDUCTION_RESULT;
  Error error =
      api().cudaMemcpyAsync(to, from, static_cast<size_t>(bytes), deviceToHost, handle(stream));
  if (error == success)
    error = api().cudaStreamSynchronize(handle(stream));
  check(error, {file, line}, "the reduction of a CUF kernel");
}

extern "C" void cufrt_reduction_forget() {
  std::lock_guard lock(workspaces().mutex);
  workspaces().byDeviceAndStream.clear();
}
