// Allocation on the host device. Device and managed memory comes from the arena (host/arena.h)
// where that has room; pinned memory, and what the arena does not take, is ordinary memory.
//
// A table of all allocations tells a pointer that can be freed from one that cannot, says how far
// copies may reach, and bounds the sum by the machine's memory, so that a request that no GPU could
// serve fails here too instead of being overcommitted. A mutex guards the table.
#include "core/module_registry.h"
#include "host/arena.h"
#include "host/functions.h"
#include "host/memory_table.h"
#include "host/variables.h"

#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <unistd.h>

namespace cufrt::host {
namespace {

constexpr size_t alignment = 256;                    // of cudaMalloc
constexpr size_t pitchUnit = 512;                    // of cudaMallocPitch on current GPUs
constexpr unsigned hostAllocFlags = 0x07;            // portable, mapped, write-combined
constexpr unsigned attachGlobal = 1, attachHost = 2; // cudaMemAttach*
constexpr size_t smallManaged = 4096; // descriptors, above all, which come and go with each call
constexpr ptrdiff_t nearby = 1 << 20; // an address farther away has nothing to do with an array

enum class Kind { device, managed, pinned };

struct Allocation {
  size_t bytes;
  Kind kind;
  bool isInArena;
};

struct MemoryTable {
  std::mutex mutex;
  std::map<const char *, Allocation> allocations; // by address
  size_t total = 0;
};

MemoryTable &table() {
  static MemoryTable *instance = new MemoryTable;
  return *instance;
}

void *obtain(size_t bytes, Kind kind, bool &isInArena) {
  void *memory = nullptr;
  if (kind == Kind::device)
    memory = allocateInArena(bytes, HostAccess::denied);
  else if (kind == Kind::managed && bytes >= smallManaged)
    memory = allocateInArena(bytes, HostAccess::allowed);
  isInArena = memory;
  return memory ? memory
                : std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
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
  bool isInArena = false;
  void *memory = obtain(bytes, kind, isInArena);
  if (!memory)
    return errorMemoryAllocation;
  all.allocations[static_cast<char *>(memory)] = {bytes, kind, isInArena};
  all.total += bytes;
  *pointer = memory;
  return success;
}

void giveBack(const char *start, const Allocation &allocation) {
  if (allocation.isInArena)
    freeInArena(const_cast<char *>(start));
  else
    std::free(const_cast<char *>(start));
}

Error release(void *pointer, bool isPinned) {
  if (!pointer)
    return success;
  MemoryTable &all = table();
  std::lock_guard lock(all.mutex);
  auto found = all.allocations.find(static_cast<char *>(pointer));
  if (found == all.allocations.end() || (found->second.kind == Kind::pinned) != isPinned)
    return errorInvalidValue;
  all.total -= found->second.bytes;
  giveBack(found->first, found->second);
  all.allocations.erase(found);
  return success;
}

// The allocation with the largest address up to this one, or null; the mutex is held.
const std::pair<const char *const, Allocation> *allocationBefore(const void *address) {
  auto &allocations = table().allocations;
  auto after = allocations.upper_bound(static_cast<const char *>(address));
  return after == allocations.begin() ? nullptr : &*std::prev(after);
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

Range rangeAt(const void *address) {
  {
    std::lock_guard lock(table().mutex);
    auto *allocation = allocationBefore(address);
    auto offset = allocation ? static_cast<const char *>(address) - allocation->first : 0;
    if (allocation && static_cast<size_t>(offset) < allocation->second.bytes)
      return {Place::device, allocation->second.bytes - static_cast<size_t>(offset)};
  }
  if (isInArena(address))
    return {Place::invalid, 0};
  size_t bytes = bytesOfVariableAt(address);
  return {bytes ? Place::device : Place::unknown, bytes};
}

void describeOffset(ptrdiff_t offset, size_t bytes, bool isFreed, char *text, size_t capacity) {
  const char *freed = isFreed ? " that was freed" : "";
  auto size = static_cast<ptrdiff_t>(bytes);
  if (offset < 0)
    std::snprintf(text, capacity, "%td bytes before the start of an array of %td bytes%s", -offset,
                  size, freed);
  else if (offset < size)
    std::snprintf(text, capacity, "%td bytes into an array of %td bytes%s", offset, size, freed);
  else
    std::snprintf(text, capacity, "%td bytes past the end of an array of %td bytes%s",
                  offset - size, size, freed);
}

bool describeDeviceAddress(const void *address, char *text, size_t capacity) {
  if (describeArenaAddress(address, text, capacity))
    return true;
  std::unique_lock lock(table().mutex, std::try_to_lock);
  auto *allocation = lock.owns_lock() ? allocationBefore(address) : nullptr;
  if (!allocation)
    return false;
  ptrdiff_t offset = static_cast<const char *>(address) - allocation->first;
  if (offset >= static_cast<ptrdiff_t>(allocation->second.bytes) + nearby)
    return false;
  describeOffset(offset, allocation->second.bytes, false, text, capacity);
  return true;
}

void freeAllMemory() {
  MemoryTable &all = table();
  std::lock_guard lock(all.mutex);
  for (const auto &[start, allocation] : all.allocations)
    giveBack(start, allocation);
  all.allocations.clear();
  all.total = 0;
}

Error cudaMalloc(void **pointer, size_t bytes) { return allocate(pointer, bytes, Kind::device); }
Error cudaFree(void *pointer) { return release(pointer, false); }

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
  return allocate(pointer, bytes, Kind::managed);
}

Error cudaHostAlloc(void **pointer, size_t bytes, unsigned flags) {
  if (flags & ~hostAllocFlags)
    return errorInvalidValue;
  return allocate(pointer, bytes, Kind::pinned);
}

Error cudaFreeHost(void *pointer) { return release(pointer, true); }

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
