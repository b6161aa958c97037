// See arena.h. Regions are kept in the order of their addresses, the freed ones too until their
// addresses are used again, so that an access to one can be explained. Those that are open are in a
// list, which must not allocate since the handler of faults adds to it.
#include "host/arena.h"
#include "core/page_size.h"
#include "core/settings.h"
#include "cufrt/debugger.h"
#include "host/fault.h"
#include "host/memory_table.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <map>
#include <mutex>
#include <sys/mman.h>

namespace cufrt::host {
namespace {

constexpr size_t behindBytes = size_t{64} << 10; // that nobody can access; OpenBLAS reads 16 kB
static_assert(behindBytes % pageBytes == 0);
constexpr size_t hugePageBytes = size_t{2} << 20;
constexpr size_t hugeFrom = 2 * hugePageBytes;         // smaller ones would waste most of a page
constexpr size_t startAlignment = 256;                 // of cudaMalloc
constexpr size_t spreadFrom = size_t{256} << 10;       // see spreadStart
constexpr size_t smallestArena = size_t{64} << 30;     // of addresses, which cost nothing
constexpr size_t leastArena = size_t{1} << 30;         // under a limit of the address space
constexpr size_t mostAllocations = 8192;               // two mappings each; Linux allows 65530
constexpr size_t mostFreed = 4096;                     // that are remembered, or twice as many
constexpr size_t mostProtectedBytes = size_t{1} << 30; // larger ones stay open, see README.md
constexpr int mostRetries = 100;

// What opening and closing may cost: this much, which sees to the first kernels of a program, and a
// part of the time that it runs. Where kernels follow each other without a pause, memory stays open
// meanwhile.
using Clock = std::chrono::steady_clock;
constexpr Clock::duration grace = std::chrono::milliseconds(1);
constexpr int partOfTime = 200;
constexpr Clock::duration costOfFault = std::chrono::microseconds(5); // besides that of mprotect

// Of the first use of a page after it: a fraction of a microsecond, but several of them where a
// virtual machine keeps page tables twice.
Clock::duration measureCostOfPage() {
  constexpr size_t count = 16, bytes = count * pageBytes;
  constexpr Clock::duration least = std::chrono::nanoseconds(125);
  void *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return least;
  auto use = [&] {
    for (size_t page = 0; page < count; ++page)
      static_cast<volatile char *>(memory)[page * pageBytes] = 1;
  };
  use();
  mprotect(memory, bytes, PROT_NONE);
  mprotect(memory, bytes, PROT_READ | PROT_WRITE);
  const Clock::time_point start = Clock::now();
  use();
  const Clock::duration all = Clock::now() - start;
  munmap(memory, bytes);
  return std::max<Clock::duration>(least, all / count);
}

struct Region {
  size_t pages; // bytes, without what is inaccessible behind
  char *first;  // of the pages
  char *start;
  size_t bytes;
  HostAccess access;
  bool isFreed;
  bool isOpen;
  bool wasOpened;
  Region *nextOpen;
  size_t holds; // calls of holdOpen that letClose has not undone
  bool isBehindOpen;
  bool isForeign; // see isUsedByKernelsAlone
};

using Regions = std::map<char *, Region>; // by the address of the first page

struct Arena {
  std::mutex mutex;
  char *begin = nullptr, *end = nullptr;
  char *next = nullptr; // where the search for addresses goes on
  Regions regions;
  size_t live = 0;
  Region *firstOpen = nullptr;
  size_t openings = 0;
  size_t spread = 0; // allocations that spreadStart has placed
  Clock::time_point created = Clock::now();
  Clock::duration spent{}; // on opening and closing
  Clock::duration costOfPage = measureCostOfPage();
};

std::atomic<int> workers{0};      // threads in functions of the runtime
std::atomic<bool> anyOpen{false}; // whether there is something to close
std::atomic<bool> alwaysCloses{false};
thread_local int depth = 0;
thread_local size_t lastRetry = 0; // the value of Arena::openings then
thread_local int retries = 0;

size_t roundUp(size_t value, size_t unit) { return (value + unit - 1) / unit * unit; }

char *roundUp(char *address, size_t unit) {
  return address + (roundUp(reinterpret_cast<uintptr_t>(address), unit) -
                    reinterpret_cast<uintptr_t>(address));
}

void *mapInaccessible(void *at, size_t bytes, int flags) {
  return mmap(at, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | flags, -1, 0);
}

// Four times the memory, so that freed addresses stay unused for long.
void reserve(Arena &arena) {
  if (!settings().hostProtect)
    return;
  for (size_t bytes = roundUp(std::max(smallestArena, 4 * physicalMemory()), hugePageBytes);
       bytes >= leastArena; bytes = roundUp(bytes / 2, hugePageBytes)) {
    void *memory = mapInaccessible(nullptr, bytes, 0);
    if (memory == MAP_FAILED)
      continue;
    arena.begin = arena.next = static_cast<char *>(memory);
    arena.end = arena.begin + bytes;
    cufrt_debugger_memory[0] = reinterpret_cast<uintptr_t>(memory);
    cufrt_debugger_memory[1] = bytes;
    return;
  }
}

Arena &arena() {
  static Arena *instance = [] {
    auto *created = new Arena;
    reserve(*created);
    return created;
  }();
  return *instance;
}

// The region with the largest address up to this one.
Regions::iterator regionBefore(Regions &regions, const void *address) {
  auto after = regions.upper_bound(static_cast<char *>(const_cast<void *>(address)));
  return after == regions.begin() ? regions.end() : std::prev(after);
}

bool covers(const Regions::value_type &entry, const void *address) {
  return static_cast<const char *>(address) < entry.first + entry.second.pages;
}

// Addresses for `pages` and what is inaccessible behind, from `arena.next` on, or null. What is
// before is inaccessible too: it lies behind another region.
char *takeAddresses(Arena &arena, size_t pages) {
  size_t alignment = pages >= hugeFrom ? hugePageBytes : pageBytes;
  for (bool again : {false, true}) {
    char *at = roundUp(again ? arena.begin : arena.next, alignment);
    auto region = regionBefore(arena.regions, at);
    if (region == arena.regions.end())
      region = arena.regions.begin();
    for (; region != arena.regions.end(); ++region) {
      char *end = region->first + region->second.pages + behindBytes;
      if (region->first >= at + pages + behindBytes)
        break;
      if (!region->second.isFreed && end > at)
        at = roundUp(end, alignment);
    }
    if (at <= arena.end && static_cast<size_t>(arena.end - at) >= pages + behindBytes)
      return at;
  }
  return nullptr;
}

// Freed regions are forgotten when their addresses are used again, or as the oldest of too many:
// the search for addresses goes round, so those come first behind it.
void forgetFreed(Arena &arena, char *begin, char *end) {
  Regions &regions = arena.regions;
  auto region = regionBefore(regions, begin);
  if (region == regions.end())
    region = regions.begin();
  while (region != regions.end() && region->first < end) {
    bool isInside = region->first + region->second.pages + behindBytes > begin;
    region = isInside && region->second.isFreed ? regions.erase(region) : std::next(region);
  }
  if (regions.size() - arena.live < 2 * mostFreed)
    return;
  for (region = regions.lower_bound(end); regions.size() - arena.live > mostFreed;) {
    if (region == regions.end())
      region = regions.begin();
    region = region->second.isFreed ? regions.erase(region) : std::next(region);
  }
}

bool open(Arena &arena, char *pages, Region &region) {
  Clock::time_point start = Clock::now();
  if (mprotect(pages, region.pages, PROT_READ | PROT_WRITE) != 0)
    return false;
  if (!region.wasOpened && region.pages >= hugeFrom)
    madvise(pages, region.pages, MADV_HUGEPAGE);
  region.isOpen = region.wasOpened = true;
  region.isForeign |= !isGuarded();
  ++arena.openings;
  if (region.access == HostAccess::allowed || region.pages > mostProtectedBytes)
    return true;
  region.nextOpen = arena.firstOpen;
  arena.firstOpen = &region;
  anyOpen.store(true, std::memory_order_relaxed);
  const size_t used = region.pages / (region.pages >= hugeFrom ? hugePageBytes : pageBytes);
  arena.spent += Clock::now() - start + costOfFault + used * arena.costOfPage;
  return true;
}

void closeAll(Arena &arena) {
  Clock::time_point start = Clock::now();
  if (arena.spent > grace + (start - arena.created) / partOfTime &&
      !alwaysCloses.load(std::memory_order_relaxed))
    return;
  for (Region **link = &arena.firstOpen; *link;) {
    Region &region = **link;
    if (region.holds > 0) {
      link = &region.nextOpen;
      continue;
    }
    mprotect(region.first, region.pages, PROT_NONE);
    region.isOpen = false;
    *link = region.nextOpen;
  }
  anyOpen.store(arena.firstOpen, std::memory_order_relaxed);
  arena.spent += Clock::now() - start;
}

void closeBehind(Region &region) {
  if (region.isBehindOpen)
    mprotect(region.first + region.pages, behindBytes, PROT_NONE);
  region.isBehindOpen = false;
}

void removeFromOpen(Arena &arena, const Region &region) {
  for (Region **link = &arena.firstOpen; *link; link = &(*link)->nextOpen)
    if (*link == &region) {
      *link = region.nextOpen;
      return;
    }
}

// A thread that faults again and again although the memory is open does something else that is not
// possible there: it executes it, say.
bool mayRetry(const Arena &arena) {
  retries = arena.openings == lastRetry ? retries + 1 : 0;
  lastRetry = arena.openings;
  return retries < mostRetries;
}

// Intel's CPUs take a load for one of what was just stored if the lower 12 bits of both addresses
// say so, and wait: a loop that reads one array and writes another ran at 0.4 of its speed where
// both began at the same place of a page. So large arrays, each of which would begin where another
// of its size does, begin at different places. Programs that are built to find mistakes have
// nothing between an array and the pages that nobody can access.
size_t spreadStart(Arena &arena, size_t bytes) {
  constexpr size_t places = 4096 / startAlignment, step = 5; // without a common factor
  if (bytes < spreadFrom || alwaysCloses.load(std::memory_order_relaxed))
    return roundUp(bytes, pageBytes) - roundUp(bytes, startAlignment);
  return arena.spread++ * step % places * startAlignment;
}

} // namespace

void *allocateInArena(size_t bytes, HostAccess access) {
  Arena &all = arena();
  [[maybe_unused]] static const bool installed = (installFaultHandlers(), true);
  std::lock_guard lock(all.mutex);
  if (!all.begin || all.live == mostAllocations || bytes > static_cast<size_t>(all.end - all.begin))
    return nullptr;
  size_t before = spreadStart(all, bytes);
  size_t pages = roundUp(before + roundUp(bytes, startAlignment), pageBytes);
  char *at = takeAddresses(all, pages);
  if (!at)
    return nullptr;
  char *start = at + before;
  Region region{pages, at, start, bytes, access, false, false, false, nullptr, 0, false, false};
  if (access == HostAccess::allowed && !open(all, at, region))
    return nullptr;
  all.next = at + pages + behindBytes;
  forgetFreed(all, at, all.next);
  all.regions[at] = region;
  ++all.live;
  return start;
}

void freeInArena(void *start) {
  Arena &all = arena();
  std::lock_guard lock(all.mutex);
  auto found = regionBefore(all.regions, start);
  if (found == all.regions.end() || found->second.start != start)
    return;
  Region &region = found->second;
  if (region.isOpen)
    removeFromOpen(all, region);
  closeBehind(region);
  if (region.wasOpened) // a new mapping in place of the old one gives the memory back
    mapInaccessible(found->first, region.pages, MAP_FIXED);
  region.isOpen = false;
  region.isFreed = true;
  region.holds = 0;
  --all.live;
}

ArenaRange arenaRange() { return {arena().begin, arena().end}; }

bool isInArena(const void *address) {
  const Arena &all = arena();
  return address >= all.begin && address < all.end;
}

namespace {

// The region that holds the address and is not freed, or the end.
auto regionInUse(Arena &all, const void *address) {
  auto found = regionBefore(all.regions, address);
  bool holds = found != all.regions.end() && !found->second.isFreed && covers(*found, address);
  return holds ? found : all.regions.end();
}

} // namespace

bool isUsedByKernelsAlone(const void *address) {
  Arena &all = arena();
  std::lock_guard lock(all.mutex);
  auto found = regionInUse(all, address);
  return found != all.regions.end() && !found->second.isForeign &&
         found->second.pages <= mostProtectedBytes;
}

bool openDeviceMemory(const void *address) {
  Arena &all = arena();
  if (!isInArena(address))
    return false;
  std::lock_guard lock(all.mutex);
  auto found = regionInUse(all, address);
  if (found == all.regions.end())
    return false;
  if (found->second.isOpen)
    return mayRetry(all); // another thread was faster
  return open(all, found->first, found->second);
}

bool holdOpen(const void *address) {
  Arena &all = arena();
  if (!isInArena(address))
    return false;
  std::lock_guard lock(all.mutex);
  auto found = regionInUse(all, address);
  if (found == all.regions.end())
    return false;
  Region &region = found->second;
  if (!region.isOpen && !open(all, found->first, region))
    return false;
  ++region.holds;
  region.isForeign = true;
  return true;
}

void letClose(const void *address) {
  Arena &all = arena();
  std::lock_guard lock(all.mutex);
  auto found = regionBefore(all.regions, address);
  if (found == all.regions.end() || found->second.holds == 0)
    return; // freed meanwhile
  if (--found->second.holds > 0)
    return;
  closeBehind(found->second);
  if (workers.load(std::memory_order_relaxed) == 0)
    closeAll(all);
}

bool openBehindHeld(const void *address) {
  Arena &all = arena();
  if (!isInArena(address))
    return false;
  std::lock_guard lock(all.mutex);
  auto found = regionBefore(all.regions, address);
  if (found == all.regions.end() || found->second.holds == 0 || found->second.isBehindOpen)
    return false;
  char *behind = found->first + found->second.pages;
  if (address < behind || address >= behind + behindBytes)
    return false;
  found->second.isBehindOpen = mprotect(behind, behindBytes, PROT_READ) == 0;
  return found->second.isBehindOpen;
}

DeviceWork::DeviceWork() {
  if (depth++ == 0)
    workers.fetch_add(1, std::memory_order_relaxed);
}

DeviceWork::~DeviceWork() {
  if (--depth != 0 || workers.fetch_sub(1, std::memory_order_relaxed) != 1 ||
      !anyOpen.load(std::memory_order_relaxed))
    return;
  Arena &all = arena();
  std::lock_guard lock(all.mutex);
  // Should another thread have started to work meanwhile, it opens again what it uses.
  closeAll(all);
}

void closeAtAnyCost() { alwaysCloses.store(true, std::memory_order_relaxed); }

bool isInDeviceWork() { return depth != 0; }

// Between two regions the nearer one is meant, but rather a live one.
bool describeArenaAddress(const void *address, char *text, size_t capacity) {
  Arena &all = arena();
  if (!isInArena(address))
    return false;
  std::lock_guard lock(all.mutex);
  auto *at = static_cast<const char *>(address);
  auto before = regionBefore(all.regions, address);
  auto after = all.regions.upper_bound(const_cast<char *>(at));
  const Region *region = before == all.regions.end() ? nullptr : &before->second;
  if (after != all.regions.end() && (!region || !covers(*before, address))) {
    const Region &next = after->second;
    ptrdiff_t past = region ? at - region->start - static_cast<ptrdiff_t>(region->bytes) : 0;
    bool isNearer = !region || next.start - at < past;
    if (!region || (next.isFreed == region->isFreed ? isNearer : !next.isFreed))
      region = &next;
  }
  if (!region)
    return false;
  describeOffset(at - region->start, region->bytes, region->isFreed, text, capacity);
  return true;
}

} // namespace cufrt::host
