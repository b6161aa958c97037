// See memory_table.h. Entries are sorted by address and do not overlap, so the entry that holds an
// address is the last one that does not start behind it.
#include "host/memory_table.h"

#include "host/arena.h"
#include "host/variables.h"

#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <unistd.h>

namespace cufrt::host {
namespace {

constexpr size_t alignment = 256;     // of cudaMalloc
constexpr size_t smallManaged = 4096; // descriptors, above all, which come and go with each call
constexpr ptrdiff_t nearby = 1 << 20; // an address farther away has nothing to do with an array

struct MemoryTable {
  std::mutex mutex;
  std::map<const char *, Memory> entries; // by address
  size_t total = 0;
};

MemoryTable &table() {
  static MemoryTable *instance = new MemoryTable;
  return *instance;
}

// The entry with the largest address up to this one, or null; the caller holds the mutex.
const Memory *entryBefore(const void *address) {
  auto next = table().entries.upper_bound(static_cast<const char *>(address));
  return next == table().entries.begin() ? nullptr : &std::prev(next)->second;
}

size_t offsetIn(const Memory &memory, const void *address) {
  return static_cast<size_t>(static_cast<const char *>(address) - memory.address);
}

// The entry that holds the address, likewise.
const Memory *entryOf(const void *address) {
  const Memory *memory = entryBefore(address);
  return memory && offsetIn(*memory, address) < memory->bytes ? memory : nullptr;
}

void *obtain(size_t bytes, MemoryKind kind) {
  void *memory = nullptr;
  if (kind == MemoryKind::device)
    memory = allocateInArena(bytes, HostAccess::denied);
  else if (kind == MemoryKind::managed && bytes >= smallManaged)
    memory = allocateInArena(bytes, HostAccess::allowed);
  return memory ? memory
                : std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

void giveBack(const Memory &memory) {
  if (memory.kind == MemoryKind::registered)
    return; // the program's own
  if (isInArena(memory.address))
    freeInArena(memory.address);
  else
    std::free(memory.address);
}

template <typename Accept>
Error releaseIf(void *pointer, Accept accept) {
  if (!pointer)
    return success;
  MemoryTable &all = table();
  std::lock_guard lock(all.mutex);
  auto found = all.entries.find(static_cast<char *>(pointer));
  if (found == all.entries.end() || !accept(found->second.kind))
    return errorInvalidValue;
  all.total -= found->second.bytes;
  giveBack(found->second);
  all.entries.erase(found);
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

Error allocate(void **pointer, size_t bytes, MemoryKind kind, unsigned flags) {
  if (!pointer)
    return errorInvalidValue;
  *pointer = nullptr;
  if (bytes == 0)
    return success;
  MemoryTable &all = table();
  std::lock_guard lock(all.mutex);
  if (bytes > physicalMemory() - all.total)
    return errorMemoryAllocation;
  void *memory = obtain(bytes, kind);
  if (!memory)
    return errorMemoryAllocation;
  auto *address = static_cast<char *>(memory);
  all.entries[address] = {address, bytes, kind, flags};
  all.total += bytes;
  *pointer = memory;
  return success;
}

Error release(void *pointer, MemoryKind kind) {
  return releaseIf(pointer, [kind](MemoryKind found) { return found == kind; });
}

Error releaseDeviceMemory(void *pointer) {
  return releaseIf(pointer, [](MemoryKind found) {
    return found == MemoryKind::device || found == MemoryKind::managed;
  });
}

Error registerMemory(void *pointer, size_t bytes, unsigned flags) {
  auto *address = static_cast<char *>(pointer);
  if (!address || bytes == 0 || bytes > physicalMemory())
    return errorInvalidValue;
  MemoryTable &all = table();
  std::lock_guard lock(all.mutex);
  auto next = all.entries.lower_bound(address);
  if (entryOf(address) || (next != all.entries.end() && next->first < address + bytes))
    return errorHostMemoryAlreadyRegistered;
  all.entries[address] = {address, bytes, MemoryKind::registered, flags};
  return success;
}

Error unregisterMemory(void *pointer) {
  if (!pointer)
    return errorInvalidValue;
  MemoryTable &all = table();
  std::lock_guard lock(all.mutex);
  auto found = all.entries.find(static_cast<char *>(pointer));
  if (found == all.entries.end() || found->second.kind != MemoryKind::registered)
    return errorHostMemoryNotRegistered;
  all.entries.erase(found);
  return success;
}

bool findMemory(const void *pointer, Memory &memory) {
  std::lock_guard lock(table().mutex);
  const Memory *found = entryOf(pointer);
  if (found)
    memory = *found;
  return found != nullptr;
}

Range rangeAt(const void *address) {
  {
    std::lock_guard lock(table().mutex);
    if (const Memory *memory = entryOf(address))
      return {Place::device, memory->bytes - offsetIn(*memory, address)};
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
  const Memory *memory = lock.owns_lock() ? entryBefore(address) : nullptr;
  if (!memory)
    return false;
  auto offset = static_cast<ptrdiff_t>(offsetIn(*memory, address));
  if (offset >= static_cast<ptrdiff_t>(memory->bytes) + nearby)
    return false;
  describeOffset(offset, memory->bytes, false, text, capacity);
  return true;
}

void freeAllMemory() {
  MemoryTable &all = table();
  std::lock_guard lock(all.mutex);
  for (const auto &[start, memory] : all.entries)
    giveBack(memory);
  all.entries.clear();
  all.total = 0;
}

} // namespace cufrt::host
