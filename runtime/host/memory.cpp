// Allocation on the host device: ordinary memory, aligned as on a GPU and left uninitialised.
//
// A table of all allocations tells a pointer that can be freed from one that cannot, and bounds the
// sum by the machine's memory, so that a request that no GPU could serve fails here too instead of
// being overcommitted. A mutex guards the table.
#include "core/module_registry.h"
#include "host/functions.h"
#include "host/memory_table.h"

#include <cstdlib>
#include <mutex>
#include <unistd.h>
#include <unordered_map>

namespace cufrt::host {
namespace {

constexpr size_t alignment = 256;                    // of cudaMalloc
constexpr size_t pitchUnit = 512;                    // of cudaMallocPitch on current GPUs
constexpr unsigned hostAllocFlags = 0x07;            // portable, mapped, write-combined
constexpr unsigned attachGlobal = 1, attachHost = 2; // cudaMemAttach*

enum class Kind { device, pinned };

struct Allocation {
  size_t bytes;
  Kind kind;
};

struct MemoryTable {
  std::mutex mutex;
  std::unordered_map<void *, Allocation> allocations;
  size_t total = 0;
};

MemoryTable &table() {
  static MemoryTable *instance = new MemoryTable;
  return *instance;
}

Error allocate(void **pointer, size_t bytes, Kind kind) {
  if (!pointer)
    return errorInvalidValue;
  *pointer = nullptr;
  if (bytes == 0)
    return success;
  MemoryTable &all = table();
  std::lock_guard lock(all.mutex);
  if (bytes > physicalMemory() - all.total)
    return errorMemoryAllocation;
  void *memory = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
  if (!memory)
    return errorMemoryAllocation;
  all.allocations[memory] = {bytes, kind};
  all.total += bytes;
  *pointer = memory;
  return success;
}

Error release(void *pointer, Kind kind) {
  if (!pointer)
    return success;
  MemoryTable &all = table();
  std::lock_guard lock(all.mutex);
  auto found = all.allocations.find(pointer);
  if (found == all.allocations.end() || found->second.kind != kind)
    return errorInvalidValue;
  all.total -= found->second.bytes;
  all.allocations.erase(found);
  std::free(pointer);
  return success;
}

} // namespace

size_t physicalMemory() {
  static const size_t bytes =
      static_cast<size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

size_t allocatedBytes() {
  std::lock_guard lock(table().mutex);
  return table().total;
}

Error cudaMalloc(void **pointer, size_t bytes) { return allocate(pointer, bytes, Kind::device); }
Error cudaFree(void *pointer) { return release(pointer, Kind::device); }

Error cudaMallocAsync(void **pointer, size_t bytes, void *stream) {
  return isStream(stream) ? cudaMalloc(pointer, bytes) : errorInvalidResourceHandle;
}

Error cudaFreeAsync(void *pointer, void *stream) {
  if (!isStream(stream))
    return errorInvalidResourceHandle;
  return pointer ? cudaFree(pointer) : errorInvalidValue;
}

Error cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height) {
  if (!pointer || !pitch)
    return errorInvalidValue;
  if (width > physicalMemory())
    return errorMemoryAllocation;
  *pitch = (width + pitchUnit - 1) / pitchUnit * pitchUnit;
  if (height && *pitch > physicalMemory() / height)
    return errorMemoryAllocation;
  return cudaMalloc(pointer, *pitch * height);
}

Error cudaMallocManaged(void **pointer, size_t bytes, unsigned flags) {
  // As on a GPU, an empty managed allocation is an error where an empty device allocation is not.
  if (bytes == 0 || (flags != attachGlobal && flags != attachHost))
    return errorInvalidValue;
  return allocate(pointer, bytes, Kind::device);
}

Error cudaHostAlloc(void **pointer, size_t bytes, unsigned flags) {
  if (flags & ~hostAllocFlags)
    return errorInvalidValue;
  return allocate(pointer, bytes, Kind::pinned);
}

Error cudaFreeHost(void *pointer) { return release(pointer, Kind::pinned); }

Error cudaGetSymbolAddress(void **pointer, const void *symbol) {
  const cufrt_variable *variable = findVariable(symbol);
  if (!pointer)
    return errorInvalidValue;
  if (!variable || !variable->host_storage)
    return errorInvalidSymbol;
  *pointer = variable->host_storage;
  return success;
}

} // namespace cufrt::host
