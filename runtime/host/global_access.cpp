// What SharedChecks does with accesses of device memory: see global_checks.h.
#include "host/arena.h"
#include "host/memory_table.h"
#include "host/shared_checks.h"

#include <cstdio>
#include <cstring>

namespace cufrt::host {
namespace {

enum Mistake { unset = 400, race };

const char *verb(bool writes) { return writes ? "writes" : "reads"; }

// "element 3 of an array in device memory"
void printDeviceTarget(const char *address, uint64_t bytes) {
  Memory memory{};
  bool isInAllocation = bytes && bytes <= 16 && findMemory(address, memory);
  auto distance = isInAllocation ? static_cast<size_t>(address - memory.address) : 0;
  if (isInAllocation && distance % bytes == 0)
    std::fprintf(reportStream(), "element %zu of an array in device memory", distance / bytes + 1);
  else
    std::fprintf(reportStream(), "%zu bytes of device memory", static_cast<size_t>(bytes));
}

void printBlock(const cufrt_block &grid, uint32_t number) {
  uint32_t x = static_cast<uint32_t>(grid.grid_dim[0]), y = static_cast<uint32_t>(grid.grid_dim[1]);
  std::fprintf(reportStream(), " of block (%u,%u,%u)", number % x + 1, number / x % y + 1,
               number / x / y + 1);
}

// Stores the value, and says whether the word had it already. The program stores it next, but a
// thread of another block may look before that.
bool storeSame(const char *address, uint32_t value) {
  uint32_t there;
  std::memcpy(&there, address, sizeof there);
  if (there != value)
    std::memcpy(const_cast<char *>(address), &value, sizeof value);
  return there == value;
}

} // namespace

uint32_t SharedChecks::numberOf(const cufrt_block &grid) {
  const int32_t (&at)[3] = grid.block_index, (&extents)[3] = grid.grid_dim;
  return static_cast<uint32_t>(at[0] + extents[0] * (at[1] + extents[1] * at[2]));
}

// All blocks pass a barrier of the grid, or those of a cluster theirs.
void SharedChecks::passGridBarrier() {
  passBarrier();
  release();
}

void SharedChecks::release() {
  ++releases;
  noteRelease(blockNumber);
  moment = 0;
}

uint32_t SharedChecks::currentMoment() {
  if (!moment)
    moment = moments.add({blockNumber, epoch, knownTime(number, number % 32), releases, number});
  return moment;
}

// The pages that were used last are at hand.
GlobalPage *SharedChecks::pageOf(uintptr_t page) {
  KnownPage &known = knownPages[page % knownPages.size()];
  if (known.number != page || !known.page)
    known = {page, pageAt(page)};
  return known.page;
}

bool SharedChecks::isOrdered(const Moment &other) {
  if (other.block != blockNumber)
    return releasesOf(other.block) > other.releases && releases > 0;
  if (other.epoch < epoch || other.thread == number || releases > other.releases)
    return true;
  return other.thread / 32 == number / 32 && knownTime(number, other.thread % 32) >= other.time;
}

bool SharedChecks::races(const GlobalWord &word, GlobalWord::Which which, const GlobalUse &own) {
  uint32_t other = word.momentOf(which);
  if (other < oldestMoment || other == own.moment)
    return false;
  return !(own.atomic && word.get(which).atomic) && !isOrdered(momentOf(other));
}

void SharedChecks::noteUse(GlobalWord &word, const GlobalUse &own, bool writes) {
  if (writes) {
    word.put(GlobalWord::writer, own);
    word.isSet = true;
    return;
  }
  uint32_t last = word.momentOf(GlobalWord::reader);
  bool isOther = last >= oldestMoment && last != own.moment;
  if (isOther) {
    const Moment &reader = momentOf(last);
    isOther = reader.thread != number || reader.block != blockNumber;
  }
  word.noteReader(own, isOther);
}

// A word that a thread uses; `address` is what is said of it.
void SharedChecks::useWord(const char *address, const GlobalAccess &access, const GlobalUse &own) {
  auto place = reinterpret_cast<uintptr_t>(address);
  GlobalPage *page = pageOf(place / pageBytes);
  if (!page)
    return;
  size_t index = place % pageBytes / globalWordBytes;
  GlobalWord &word = page->words[index];
  GlobalUse other;
  bool otherWrites = false, isUnset = false;
  {
    WordLock lock(page->keeper(index));
    const bool keepsValue = access.value && storeSame(address, *access.value);
    isUnset = access.needsValue && !word.isSet && !page->isForeign.load(std::memory_order_relaxed);
    if (isUnset && !isFresh(address)) {
      page->isForeign.store(true, std::memory_order_relaxed);
      isUnset = false;
    }
    if (!keepsValue && races(word, GlobalWord::writer, own)) {
      other = word.get(GlobalWord::writer);
      otherWrites = true;
    }
    for (GlobalWord::Which reader : {GlobalWord::reader, GlobalWord::olderReader})
      if (access.writes && !keepsValue && !other.place && races(word, reader, own))
        other = word.get(reader);
    noteUse(word, own, access.writes);
  }
  if (isUnset)
    reportGlobalUnset(address, access.bytes, *own.place);
  if (other.place)
    reportGlobalRace(address, access.bytes, *own.place, access.writes, other, otherWrites);
}

// A write that leaves what is there is no mistake, whoever does it.
void SharedChecks::accessGlobal(const char *address, uint64_t size, int32_t kind, uint64_t value,
                                const cufrt_place &place) {
  bool isDevice = address >= arena.begin && address < arena.end, atomic = kind >= CUFRT_ATOMIC_READ;
  if (!isDevice)
    accessLocal(address, size, kind, place);
  bool isWhole =
      (size | reinterpret_cast<uintptr_t>(address)) % globalWordBytes == 0; // words, all of them
  GlobalUse own{&place, isDevice && isWhole ? currentMoment() : 0, atomic};
  if (own.moment) {
    bool reads = kind == CUFRT_READ || kind == CUFRT_ATOMIC_READ || kind == CUFRT_ATOMIC_UPDATE;
    bool writes = kind == CUFRT_WRITE || kind == CUFRT_WRITE_VALUE || kind >= CUFRT_ATOMIC_WRITE;
    const bool isKnown = kind == CUFRT_WRITE_VALUE && size <= sizeof value;
    for (uint64_t at = 0; at < size; at += globalWordBytes) {
      auto part = static_cast<uint32_t>(isKnown ? value >> (8 * at) : 0);
      useWord(address + at, {size, reads, writes, isKnown ? &part : nullptr}, own);
    }
  }
  if (atomic)
    release();
}

void SharedChecks::reportGlobalUnset(const char *address, uint64_t size, const cufrt_place &place) {
  if (!beginReport(place, nullptr, unset))
    return;
  printPlace(place);
  std::fputs(": error: ", reportStream());
  printThread(index);
  std::fputs(" reads ", reportStream());
  printDeviceTarget(address, size);
  std::fputs(", which nothing has set", reportStream());
  printKernel(thread());
  endReport();
}

void SharedChecks::reportGlobalRace(const char *address, uint64_t size, const cufrt_place &place,
                                    bool writes, const GlobalUse &other, bool otherWrites) {
  if (!beginReport(place, other.place, race))
    return;
  const Moment &moment = momentOf(other.moment);
  auto printOther = [&] {
    printThread(indexOf(moment.thread));
    if (moment.block != blockNumber)
      printBlock(*block, moment.block);
  };
  printPlace(place);
  std::fputs(": error: ", reportStream());
  printThread(index);
  std::fprintf(reportStream(), " %s ", verb(writes));
  printDeviceTarget(address, size);
  std::fputs(", and ", reportStream());
  printOther();
  std::fprintf(reportStream(), " %s it, without a barrier between", verb(otherWrites));
  printKernel(thread());
  printPlace(*other.place);
  std::fputs(": note: ", reportStream());
  printOther();
  std::fprintf(reportStream(), " %s it here\n", verb(otherWrites));
  endReport();
}

} // namespace cufrt::host
