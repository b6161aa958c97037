// Device memory under -gpu=check: who has written and read each word of it in this launch, and
// which words of it somebody has ever set. SharedChecks says what is ordered within a block; this
// is about all blocks.
//
// Blocks of a grid are ordered by nothing but barriers of the grid and the cluster, and by what
// they say to each other through atomic operations and volatile variables. Of the latter it is only
// known how many a block has made: an access counts as ordered before that of another block if its
// block has made one since, and the other block one before. So some races go unnoticed, but none is
// reported that is not one. Words that are not used as a whole are not looked at.
//
// A word remembers a moment and a place for each of three accesses. A moment (who, and what had
// been ordered by then) is common to all accesses that a thread makes between two operations that
// order something; it is a number, which grows with each launch, so that words need no clearing.
//
// Memory whose first use was not by a checked kernel counts as set, whatever was done with it. All
// functions may be called by several threads of the host.
#ifndef CUFRT_HOST_GLOBAL_CHECKS_H
#define CUFRT_HOST_GLOBAL_CHECKS_H

#include "host/grid.h"

#include <array>
#include <atomic>
#include <cstdint>

namespace cufrt::host {

struct Moment {
  uint32_t block;
  uint32_t epoch, time; // see SharedChecks
  uint32_t releases;    // that the block had made before
  uint16_t thread;
};

constexpr size_t globalWordBytes = 4;
constexpr size_t pageBytes = 4096, wordsOfPage = pageBytes / globalWordBytes;

// One access of a word, as it is remembered.
struct GlobalUse {
  const cufrt_place *place = nullptr;
  uint32_t moment = 0; // 0: none
  bool atomic = false;
};

// Used by whoever holds the lock of the quad that it is in (GlobalPage::keeper).
class GlobalWord {
public:
  enum Which { writer, reader, olderReader };

  GlobalUse get(Which which) const {
    return {reinterpret_cast<const cufrt_place *>(places[which] & ~atomicBit), moments[which],
            (places[which] & atomicBit) != 0};
  }
  void put(Which which, const GlobalUse &use) {
    places[which] = reinterpret_cast<uintptr_t>(use.place) | (use.atomic ? atomicBit : 0);
    moments[which] = use.moment;
  }
  uint32_t momentOf(Which which) const { return moments[which]; }
  void noteReader(const GlobalUse &use, bool isOther) {
    if (isOther) {
      places[olderReader] = places[reader];
      moments[olderReader] = moments[reader];
    }
    put(reader, use);
  }

  void lock() { // held for some nanoseconds
    while (isLocked.exchange(true, std::memory_order_acquire)) {
    }
  }
  void unlock() { isLocked.store(false, std::memory_order_release); }

  bool isSet = false;

private:
  static constexpr uintptr_t atomicBit = 1; // places are aligned

  std::atomic<bool> isLocked{false};
  std::array<uint32_t, 3> moments{};
  std::array<uintptr_t, 3> places{};
};

struct GlobalPage {
  std::array<GlobalWord, wordsOfPage> words;
  // The word whose lock is that of four.
  GlobalWord &keeper(size_t index) { return words[index & ~size_t{3}]; }
  std::atomic<bool> isForeign{false}; // it counts as set
};

// A launch of a checked kernel, or of another one, begins; launches do not overlap. `isAlone`: one
// thread of the host runs all blocks.
void beginGlobalChecks(const Grid &grid, bool isChecked, bool isAlone);

// The lock of a word and its neighbours, where there is somebody else.
class WordLock {
public:
  explicit WordLock(GlobalWord &keeper);
  ~WordLock() { letGo(); }
  WordLock(const WordLock &) = delete;
  WordLock &operator=(const WordLock &) = delete;

  // Unlocks what this thread has locked, if anything: a fault leaves the scope without a
  // destructor.
  static void letGo();
};

// The page with a number (an address over pageBytes), which stays where it is; null if too much
// memory is looked at already.
GlobalPage *pageAt(uintptr_t number);

// Moments of this launch are those from the first one on. New ones are taken by `MomentSource`,
// one for each thread of the host.
uint32_t firstMoment();
const Moment &momentOf(uint32_t number);

class MomentSource {
public:
  // A number for it; 0 if there are too many in this launch.
  uint32_t add(const Moment &moment);

private:
  uint32_t next = 0, end = 0; // of a piece of the numbers that nobody else uses
};

// How often a block has spoken to others so far, and once more.
uint32_t releasesOf(uint32_t block);
void noteRelease(uint32_t block);

// Whether only checked kernels have used the memory there.
bool isFresh(const void *address);

} // namespace cufrt::host
#endif // CUFRT_HOST_GLOBAL_CHECKS_H
