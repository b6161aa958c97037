// Memory for tests of the host device, where host code must not touch device memory and a fill
// wants memory that a device can reach.
#ifndef TESTS_UNIT_RUNTIME_DEVICE_MEMORY_H
#define TESTS_UNIT_RUNTIME_DEVICE_MEMORY_H

#include "cufrt/device.h"

#include <cstdlib>
#include <vector>

// Element `index` of an array in device memory.
template <typename T>
T elementOf(const void *array, size_t index) {
  T value{};
  auto *from = static_cast<const T *>(array) + index;
  if (cufrt::api().cudaMemcpy(&value, from, sizeof value, cufrt::deviceToHost) != cufrt::success)
    std::abort();
  return value;
}

// For containers: memory that host and device can use.
template <typename T>
struct PinnedAllocator {
  using value_type = T; // NOLINT(readability-identifier-naming): C++ names it

  PinnedAllocator() = default;
  template <typename Other>
  PinnedAllocator(const PinnedAllocator<Other> &) {}

  T *allocate(size_t count) {
    void *memory = nullptr;
    if (cufrt::api().cudaHostAlloc(&memory, count * sizeof(T), 0) != cufrt::success)
      std::abort();
    return static_cast<T *>(memory);
  }
  void deallocate(T *memory, size_t) { cufrt::api().cudaFreeHost(memory); }

  bool operator==(const PinnedAllocator &) const { return true; }
};

template <typename T>
using PinnedVector = std::vector<T, PinnedAllocator<T>>;

#endif // TESTS_UNIT_RUNTIME_DEVICE_MEMORY_H
