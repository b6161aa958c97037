// Device memory under -gpu=check: who has written and read each word of it in this launch, and
// which bytes of it somebody has ever set. SharedChecks says what is ordered within a block; this
// is about all blocks.
//
// Blocks of a grid are ordered by nothing but barriers of the grid and the cluster, and by what
// they say to each other through atomic operations and volatile variables. Of the latter it is only
// known how many a block has made: an access counts as ordered before that of another block if its
// block has made one since, and the other block one before. So some races go unnoticed, but none is
// reported that is not one. Words that are not used as a whole are not looked at.
//
// Memory whose first use was not by a checked kernel counts as set, whatever was done with it. All
// functions may be called by several threads.
#ifndef CUFRT_HOST_GLOBAL_CHECKS_H
#define CUFRT_HOST_GLOBAL_CHECKS_H

#include "host/grid.h"

#include <array>
#include <cstdint>
#include <mutex>

namespace cufrt::host {

// One thread's access of device memory.
struct GlobalRecord {
  const cufrt_place *place = nullptr;
  uint32_t launch = 0; // of no interest any more if there was another one since
  uint32_t block = 0;
  uint32_t epoch = 0, time = 0; // see SharedChecks
  uint32_t releases = 0;        // that the block had made before
  uint16_t thread = 0;
  bool atomic = false;
};

constexpr size_t globalWordBytes = 4;

struct GlobalWord {
  GlobalRecord write;
  std::array<GlobalRecord, 2> reads; // the newer one first
  uint8_t set = 0;                   // a bit for each byte
};

// A word with the lock of the page that it is in.
struct LockedWord {
  std::unique_lock<std::mutex> lock;
  GlobalWord *word = nullptr; // null: too much memory is looked at already
  bool *isForeign = nullptr;  // of its page: it counts as set
};

// A launch of a checked kernel, or of another one, begins; launches do not overlap.
void beginGlobalChecks(const Grid &grid, bool isChecked);

uint32_t currentLaunch();
LockedWord lockWord(uintptr_t address);

// How often a block has spoken to others so far, and once more.
uint32_t releasesOf(uint32_t block);
void noteRelease(uint32_t block);

// Whether only checked kernels have used the memory there.
bool isFresh(const void *address);

} // namespace cufrt::host
#endif // CUFRT_HOST_GLOBAL_CHECKS_H
