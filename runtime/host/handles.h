// A set of live objects that programs hold as opaque handles. A handle that is not in the set, or
// no longer, is recognised. All members may be called from any thread.
#ifndef CUFRT_HOST_HANDLES_H
#define CUFRT_HOST_HANDLES_H

#include <mutex>
#include <unordered_map>

namespace cufrt::host {

template <typename Object>
class Handles {
public:
  void *create(const Object &object) {
    std::lock_guard lock(mutex);
    // Unlike an address, a number is not used again, so a stale handle stays invalid.
    void *handle = reinterpret_cast<void *>(nextHandle++ << 4);
    objects.emplace(handle, object);
    return handle;
  }

  bool destroy(void *handle) {
    std::lock_guard lock(mutex);
    return objects.erase(handle) == 1;
  }

  bool contains(void *handle) {
    std::lock_guard lock(mutex);
    return objects.count(handle) == 1;
  }

  bool get(void *handle, Object &object) {
    std::lock_guard lock(mutex);
    auto found = objects.find(handle);
    if (found != objects.end())
      object = found->second;
    return found != objects.end();
  }

  bool set(void *handle, const Object &object) {
    std::lock_guard lock(mutex);
    auto found = objects.find(handle);
    if (found != objects.end())
      found->second = object;
    return found != objects.end();
  }

  void clear() {
    std::lock_guard lock(mutex);
    objects.clear();
  }

private:
  std::mutex mutex;
  std::unordered_map<void *, Object> objects;
  std::size_t nextHandle = 1;
};

} // namespace cufrt::host
#endif // CUFRT_HOST_HANDLES_H
