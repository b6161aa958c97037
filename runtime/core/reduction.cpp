// Workspaces of reductions: one a device, stream and thread of the host. The launches of a stream
// run one after the other, but those of another thread may come between a launch and the reading of
// its result. Workspaces grow, and live until the program ends or the device is reset; those of a
// thread that has ended go to the next thread that asks.
#include "cufrt/reduction.h"
#include "core/default_stream.h"
#include "core/location.h"
#include "cufrt/device.h"
#include "report/work.h"

#include <cstring>
#include <map>
#include <mutex>

namespace cufrt {
namespace {

struct Workspace {
  void *memory = nullptr;
  size_t bytes = 0;
  char *results = nullptr; // in host memory that the GPU writes, then the heads as they begin
  bool isDone = false;     // the host has waited for the launch that used it last
};

constexpr size_t slots = CUFRT_REDUCTION_PARTIALS / CUFRT_REDUCTION_HEAD,
                 resultBytes = slots * CUFRT_REDUCTION_PARTIAL_BYTES;

using Place = std::pair<int, void *>; // a device and a stream

// Of one thread. Its address is the thread's number.
struct Owner {
  ~Owner();
};

struct Workspaces {
  std::mutex mutex;
  std::map<Owner *, std::map<Place, Workspace>> byThread;
  std::multimap<Place, Workspace> idle; // of threads that have ended
};

Workspaces &workspaces() {
  static Workspaces *instance = new Workspaces; // launches may outlive main's static objects
  return *instance;
}

Owner::~Owner() {
  std::lock_guard lock(workspaces().mutex);
  auto own = workspaces().byThread.extract(this);
  if (!own.empty())
    for (const auto &[place, workspace] : own.mapped())
      workspaces().idle.emplace(place, workspace);
}

// Of the calling thread; the caller holds the mutex.
Workspace &workspaceAt(const Place &place) {
  thread_local Owner owner;
  auto [found, isNew] = workspaces().byThread[&owner].try_emplace(place);
  if (isNew)
    if (auto left = workspaces().idle.extract(place); !left.empty())
      found->second = left.mapped();
  return found->second;
}

void *handle(const int64_t *stream) {
  return stream ? reinterpret_cast<void *>(*stream) : threadStream();
}

// Host memory for the results, and heads that name it. On the host device results are where the
// host reads them anyway.
Error prepareResults(Workspace &workspace) {
  if (workspace.results || api().isHost)
    return success;
  constexpr unsigned portable = 1; // cudaHostAllocPortable: for all GPUs
  void *memory = nullptr;
  if (Error error = api().cudaHostAlloc(&memory, resultBytes + CUFRT_REDUCTION_PARTIALS, portable))
    return error;
  workspace.results = static_cast<char *>(memory);
  char *heads = workspace.results + resultBytes;
  std::memset(heads, 0, CUFRT_REDUCTION_PARTIALS);
  for (size_t slot = 0; slot < slots; ++slot) {
    char *result = workspace.results + slot * CUFRT_REDUCTION_PARTIAL_BYTES;
    std::memcpy(heads + slot * CUFRT_REDUCTION_HEAD + CUFRT_REDUCTION_COPY, &result, sizeof result);
  }
  return success;
}

// The heads of new memory must be as they begin before the launch, which is on the same stream.
Error enlarge(Workspace &workspace, size_t bytes, void *stream) {
  if (workspace.memory)
    if (Error error = api().cudaFree(workspace.memory))
      return error;
  workspace.memory = nullptr;
  workspace.bytes = 0;
  if (Error error = prepareResults(workspace))
    return error;
  if (Error error = api().cudaMalloc(&workspace.memory, bytes))
    return error;
  workspace.bytes = bytes;
  report::OriginScope origin(report::Origin::assignment);
  if (workspace.results)
    return api().cudaMemcpyAsync(workspace.memory, workspace.results + resultBytes,
                                 CUFRT_REDUCTION_PARTIALS, hostToDevice, stream);
  return api().cudaMemsetAsync(workspace.memory, 0, CUFRT_REDUCTION_PARTIALS, stream);
}

// What a kernel has used that leaves its results on the host; null if they are only in `memory`.
// It belongs to the calling thread, which may use it without the mutex.
Workspace *workspaceOnHost(void *memory, const int64_t *stream) {
  if (api().isHost)
    return nullptr;
  int device = 0;
  api().cudaGetDevice(&device);
  std::lock_guard lock(workspaces().mutex);
  Workspace &workspace = workspaceAt({device, handle(stream)});
  return workspace.memory == memory && workspace.results ? &workspace : nullptr;
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
  Workspace &workspace = workspaceAt({device, handle(stream)});
  workspace.isDone = false;
  if (workspace.bytes < bytes)
    check(enlarge(workspace, bytes, handle(stream)), {}, "allocating %zu bytes for a reduction",
          bytes);
  return workspace.memory;
}

extern "C" void cufrt_reduction_result(void *workspace, int32_t slot, void *to, int32_t bytes,
                                       const int64_t *stream, const char *file, int32_t line) {
  if (Workspace *known = workspaceOnHost(workspace, stream)) {
    if (!known->isDone)
      check(api().cudaStreamSynchronize(handle(stream)), {file, line},
            "the reduction of a CUF kernel");
    known->isDone = true; // the kernel's other results are there, too
    std::memcpy(to, known->results + ptrdiff_t{slot} * CUFRT_REDUCTION_PARTIAL_BYTES,
                static_cast<size_t>(bytes));
    return;
  }
  const char *from = static_cast<char *>(workspace) + ptrdiff_t{slot} * CUFRT_REDUCTION_HEAD +
                     CUFRT_REDUCTION_RESULT;
  report::OriginScope origin(report::Origin::assignment);
  Error error =
      api().cudaMemcpyAsync(to, from, static_cast<size_t>(bytes), deviceToHost, handle(stream));
  if (error == success)
    error = api().cudaStreamSynchronize(handle(stream));
  check(error, {file, line}, "the reduction of a CUF kernel");
}

extern "C" void cufrt_reduction_forget() {
  std::lock_guard lock(workspaces().mutex);
  workspaces().byThread.clear();
  workspaces().idle.clear();
}
