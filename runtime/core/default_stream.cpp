// See default_stream.h. The arrays with a stream are in a table ordered by address, which a mutex
// guards; a counter keeps the mutex off the way of programs that never give an array a stream.
#include "core/default_stream.h"

#include <atomic>
#include <map>
#include <mutex>

namespace cufrt {
namespace {

thread_local void *streamOfThread = nullptr;

struct Bound {
  size_t bytes;
  void *stream;
};

struct Bindings {
  std::mutex mutex;
  std::map<const char *, Bound> arrays;
  std::atomic<size_t> count{0};
};

Bindings &bindings() {
  static Bindings *instance = new Bindings; // freed memory is forgotten until the process ends
  return *instance;
}

bool find(const void *address, void *&stream) {
  if (bindings().count.load(std::memory_order_relaxed) == 0)
    return false;
  std::lock_guard lock(bindings().mutex);
  auto *wanted = static_cast<const char *>(address);
  auto after = bindings().arrays.upper_bound(wanted);
  if (after == bindings().arrays.begin())
    return false;
  const auto &[start, bound] = *std::prev(after);
  if (wanted >= start + bound.bytes)
    return false;
  stream = bound.stream;
  return true;
}

} // namespace

void *threadStream() { return streamOfThread; }

void setThreadStream(void *stream) { streamOfThread = stream; }

void *streamOf(const void *address) {
  void *stream = streamOfThread;
  find(address, stream);
  return stream;
}

void setStreamOf(const void *array, size_t bytes, void *stream) {
  std::lock_guard lock(bindings().mutex);
  auto &arrays = bindings().arrays;
  if (stream)
    arrays[static_cast<const char *>(array)] = {bytes, stream};
  else
    arrays.erase(static_cast<const char *>(array));
  bindings().count.store(arrays.size(), std::memory_order_relaxed);
}

void forgetStreamOf(const void *array) {
  if (bindings().count.load(std::memory_order_relaxed) != 0)
    setStreamOf(array, 0, nullptr);
}

void forgetStream(void *stream) {
  if (streamOfThread == stream)
    streamOfThread = nullptr;
  std::lock_guard lock(bindings().mutex);
  auto &arrays = bindings().arrays;
  std::erase_if(arrays, [&](const auto &entry) { return entry.second.stream == stream; });
  bindings().count.store(arrays.size(), std::memory_order_relaxed);
}

Queue Queue::of(const void *to, const void *from) {
  void *stream = streamOfThread;
  if (!find(to, stream))
    find(from, stream);
  return Queue(stream);
}

Error Queue::copy(void *to, const void *from, size_t bytes, int kind) const {
  return stream ? api().cudaMemcpyAsync(to, from, bytes, kind, stream)
                : api().cudaMemcpy(to, from, bytes, kind);
}

Error Queue::copyRows(void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width,
                      size_t height, int kind) const {
  return stream ? api().cudaMemcpy2DAsync(to, toPitch, from, fromPitch, width, height, kind, stream)
                : api().cudaMemcpy2D(to, toPitch, from, fromPitch, width, height, kind);
}

Error Queue::copyBlock(const BlockCopy &block) const {
  return stream ? api().cudaMemcpy3DAsync(&block, stream) : api().cudaMemcpy3D(&block);
}

Error Queue::fill(void *pointer, int byte, size_t bytes) const {
  return stream ? api().cudaMemsetAsync(pointer, byte, bytes, stream)
                : api().cudaMemset(pointer, byte, bytes);
}

Error Queue::fillRows(void *pointer, size_t pitch, int byte, size_t width, size_t height) const {
  return stream ? api().cudaMemset2DAsync(pointer, pitch, byte, width, height, stream)
                : api().cudaMemset2D(pointer, pitch, byte, width, height);
}

Error Queue::wait() const { return stream ? api().cudaStreamSynchronize(stream) : success; }

} // namespace cufrt
