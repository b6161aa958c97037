// See memory_table.h. Entries are sorted by address and do not overlap, so the entry that holds an
// address is the last one that does not start behind it.
#include "host/memory_table.h"

#include "core/module_registry.h"

#include <cstdlib>
#include <map>
#include <mutex>
#include <unistd.h>

namespace cufrt::host {
namespace {

constexpr size_t alignment = 256; // of cudaMalloc

struct MemoryTable {
  std::mutex mutex;
  std::map<const char *, Memory> entries;
  size_t total = 0;
};

MemoryTable &table() {
  static MemoryTable *instance = new MemoryTable;
  return *instance;
}

// The caller holds the mutex.
const Memory *entryOf(const char *address) {
  auto next = table().entries.upper_bound(address);
  if (next == table().entries.begin())
    return nullptr;
  const Memory &memory = std::prev(next)->second;
  return static_cast<size_t>(address - memory.address) < memory.bytes ? &memory : nullptr;
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
  all.entries.erase(found);
  std::free(pointer);
  return success;
}

// The bytes from `pointer` to the end of what it points into, 0 if that is not known.
size_t bytesBehind(const void *pointer) {
  auto *address = static_cast<const char *>(pointer);
  {
    std::lock_guard lock(table().mutex);
    if (const Memory *memory = entryOf(address))
      return memory->bytes - static_cast<size_t>(address - memory->address);
  }
  const cufrt_variable *variable = findStorage(pointer);
  if (!variable)
    return 0;
  auto *storage = static_cast<const char *>(variable->host_storage);
  return variable->bytes - static_cast<size_t>(address - storage);
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
  void *memory = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
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
  const Memory *found = entryOf(static_cast<const char *>(pointer));
  if (found)
    memory = *found;
  return found != nullptr;
}

bool isDeviceMemory(const void *pointer, size_t bytes) {
  return bytes == 0 || bytesBehind(pointer) >= bytes;
}

bool isWithin(const void *pointer, size_t bytes) {
  size_t known = bytesBehind(pointer);
  return known == 0 || known >= bytes;
}

} // namespace cufrt::host
