// Work of a library on the host device: it runs when its stream runs it, at once or, while the
// stream captures, with each launch of the graph, and may use device memory meanwhile.
#ifndef CUFRT_LIBRARIES_STREAM_WORK_H
#define CUFRT_LIBRARIES_STREAM_WORK_H

#include "core/foreign_access.h"
#include "host/arena.h"
#include "host/capture.h"

#include <cstdint>
#include <mutex>
#include <unordered_set>

namespace cufrt::libraries {

// An argument in device memory, opened for threads that are not the runtime's.
template <typename T>
T *opened(T *pointer) {
  host::expectAccess(pointer);
  return pointer;
}

// Returns an error of the CUDA runtime; what the body finds goes to memory of the program.
template <typename Body>
Error runInStream(void *stream, const Body &body) {
  return host::submit(stream, host::NodeType::kernel, [body]() -> Error {
    host::DeviceWork work;
    body();
    return success;
  });
}

// A scalar that a routine reads, and one that it writes, in host or device memory. As arguments
// they are like pointers.
template <typename T>
struct In {
  using Value = T;
  const T *at;
};
template <typename T>
struct Out {
  using Value = T;
  T *at;
};

// A scalar in host memory counts with its value at the call, one in device memory with that when
// the work runs.
template <typename T>
class Scalar {
public:
  explicit Scalar(In<T> in)
      : device(in.at && placeOf(in.at).home == Home::device ? in.at : nullptr),
        host(in.at && !device ? *in.at : T()) {}
  T get() const { return device ? *opened(device) : host; }

private:
  const T *device;
  T host;
};

// The objects behind handles. A handle that is not one of them is recognised.
template <typename Object>
class LiveObjects {
public:
  void *create() {
    std::lock_guard lock(mutex);
    auto *object = new Object;
    live.insert(object);
    return object;
  }
  Object *find(const void *handle) {
    std::lock_guard lock(mutex);
    auto *object = static_cast<Object *>(const_cast<void *>(handle));
    return live.count(object) ? object : nullptr;
  }
  bool destroy(const void *handle) {
    std::lock_guard lock(mutex);
    auto *object = static_cast<Object *>(const_cast<void *>(handle));
    if (!live.erase(object))
      return false;
    delete object;
    return true;
  }

private:
  std::mutex mutex;
  std::unordered_set<Object *> live;
};

} // namespace cufrt::libraries
#endif // CUFRT_LIBRARIES_STREAM_WORK_H
