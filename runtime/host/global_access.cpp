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

} // namespace

uint32_t SharedChecks::blockNumber() const {
  const int32_t (&at)[3] = block->block_index, (&extents)[3] = block->grid_dim;
  return static_cast<uint32_t>(at[0] + extents[0] * (at[1] + extents[1] * at[2]));
}

// All blocks pass a barrier of the grid, or those of a cluster theirs.
void SharedChecks::passGridBarrier() {
  passBarrier();
  noteRelease(blockNumber());
}

bool SharedChecks::isOrdered(const GlobalRecord &other, const GlobalRecord &own) {
  if (other.launch != own.launch)
    return true;
  if (other.block != own.block)
    return releasesOf(other.block) > other.releases && own.releases > 0;
  if (other.epoch < own.epoch || other.thread == own.thread || own.releases > other.releases)
    return true;
  return other.thread / 32 == own.thread / 32 &&
         knownTime(own.thread, other.thread % 32) >= other.time;
}

// `keepsValue`: a write leaves what is there, which is no mistake whoever does it.
void SharedChecks::accessGlobal(const char *address, uint64_t size, int32_t kind, bool keepsValue,
                                const cufrt_place &place) {
  auto first = reinterpret_cast<uintptr_t>(address);
  bool isDevice = isInArena(address);
  if (!isDevice)
    accessLocal(address, size, kind, place);
  if (!isDevice || size % globalWordBytes || first % globalWordBytes) {
    if (kind >= CUFRT_ATOMIC_READ)
      noteRelease(blockNumber());
    return;
  }
  bool writes = kind == CUFRT_WRITE || kind == CUFRT_WRITE_VALUE || kind >= CUFRT_ATOMIC_WRITE;
  bool reads = kind <= CUFRT_READ_PARTS || kind == CUFRT_ATOMIC_READ || kind == CUFRT_ATOMIC_UPDATE;
  bool atomic = kind >= CUFRT_ATOMIC_READ;
  uint32_t own = blockNumber();
  GlobalRecord record{
      &place,          currentLaunch(), own,   epoch, knownTime(number, number % 32),
      releasesOf(own), number,          atomic};
  for (uint64_t at = 0; at < size; at += globalWordBytes) {
    GlobalRecord other;
    bool otherWrites = false, isUnset = false;
    {
      LockedWord locked = lockWord(first + at);
      if (!locked.word)
        return;
      GlobalWord &word = *locked.word;
      constexpr uint8_t all = 15;
      isUnset = reads && kind != CUFRT_READ_PARTS && word.set != all && !*locked.isForeign;
      if (isUnset && !isFresh(address + at)) {
        *locked.isForeign = true;
        isUnset = false;
      }
      auto races = [&](const GlobalRecord &before) {
        return before.place && !(atomic && before.atomic) && !isOrdered(before, record);
      };
      if (!keepsValue && races(word.write)) {
        other = word.write;
        otherWrites = true;
      }
      for (const GlobalRecord &reader : word.reads)
        if (writes && !keepsValue && !other.place && races(reader))
          other = reader;
      if (writes) {
        word.write = record;
        word.set = all;
      } else {
        if (word.reads[0].thread != number || word.reads[0].block != own)
          word.reads[1] = word.reads[0];
        word.reads[0] = record;
      }
    }
    if (isUnset)
      reportGlobalUnset(address + at, size, place);
    if (other.place)
      reportGlobalRace(address, size, place, writes, other, otherWrites);
  }
  if (atomic)
    noteRelease(own);
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
                                    bool writes, const GlobalRecord &other, bool otherWrites) {
  if (!beginReport(place, other.place, race))
    return;
  auto printOther = [&] {
    printThread(indexOf(other.thread));
    if (other.block != blockNumber())
      printBlock(*block, other.block);
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
