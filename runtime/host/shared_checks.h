// The shared memory of one block under -gpu=check: who has written and read each byte, and what is
// ordered by barriers.
//
// Two accesses of a byte by different threads race if one of them writes, not both are atomic, and
// nothing orders them. All that happens before a barrier of the block belongs to an earlier epoch
// and is ordered before what comes after. Between barriers the lanes of a warp are ordered by
// operations of the warp, each for the lanes of its mask: every lane has a clock, and knows of
// every other lane up to which time it has synchronised with it, directly or through others. A byte
// remembers its last writer and two readers, so some races of many threads on one byte go
// unnoticed, but none is reported that is not one. As long as the bytes of a word are used
// together, its first one remembers for all.
//
// Used by one thread of the host at a time.
#ifndef CUFRT_HOST_SHARED_CHECKS_H
#define CUFRT_HOST_SHARED_CHECKS_H

#include "cufrt/debugger.h"
#include "host/arena.h"
#include "host/check_reports.h"
#include "host/global_checks.h"
#include "host/local_variables.h"
#include "host/warp_operations.h"

#include <array>
#include <vector>

namespace cufrt::host {

class SharedChecks {
public:
  // Takes memory for a block of this grid.
  void prepare(const Grid &grid);

  // No byte has been written. `started` must outlive the block's run.
  void startBlock(const cufrt_block &started);

  // From now on this thread of the host runs the block; `current` gives it.
  void enter() { running = this; }
  static SharedChecks *current() { return running; }

  void setThread(ThreadIndex now, const cufrt_shared_variable *known);
  CheckedThread thread() const { return {kernel, block, index}; }

  // The running thread comes to an operation at which threads meet.
  void arrive(const cufrt_place &place) { syncPlaces[number] = &place; }

  // All threads of the block that have not ended wait at its barrier. Says so if they do at several
  // places, or if others have gone past it: their last access is below it in the source,
  // and they have been at no barrier. Threads that have returned are no mistake.
  void meet(const cufrt_warp_lanes *warps, int threads);

  // All threads have come to a barrier.
  void passBarrier();
  // The same, of a barrier that other blocks pass too.
  void passGridBarrier();
  // All threads have ended.
  void endBlock() { reportUnsetReads(); }

  // These lanes of a warp go on from operations of the warp, each from that in its frame; `alive`
  // are those that have not ended, `all` those that the warp has begun with.
  void passWarpOperation(size_t warp, LaneFrames frames, uint32_t lanes, uint32_t alive,
                         uint32_t all);

  void access(const char *address, uint64_t bytes, int32_t kind, uint64_t value, const char *array,
              const cufrt_place &place);

  // What the running thread's procedures have of their own, as far as others know the addresses.
  LocalVariables locals;

  // A thread reads `size` bytes of a variable of its own, of `whole` bytes, that have no value.
  void reportUnsetLocal(const cufrt_place &place, const char *name, uint64_t offset, uint64_t size,
                        uint64_t whole);

  // From an address to the end of the shared or local variable there; 0 if it is none.
  uint64_t bytesFrom(const char *address) const;

  // Whether `bytes` bytes from an address on have been found to be device memory in this block, and
  // that they have. All threads of a block give a dummy argument the same memory, as a rule.
  bool isKnownRoom(const void *address, int64_t bytes) const;
  void noteRoom(const void *address, int64_t bytes);

private:
  // One thread's access; of no current interest if its epoch is before that of the block.
  struct Record {
    const cufrt_place *place;
    uint32_t epoch;
    uint32_t time; // of the lane's clock
    uint16_t thread;
    bool atomic;
    bool update; // it reads what was there
  };
  struct Byte {
    Record write;
    Record reads[2];      // the newer one first
    bool isSplit;         // of a word: its bytes remember for themselves, elsewhere
    uint32_t readByWarps; // the epoch in which plain reads of two warps are remembered
  };
  // What the common reads need to know of a word, so little that it stays in the cache.
  struct Summary {
    uint32_t writeEpoch, readByWarps;
    uint16_t writer;
    bool isSplit;
  };
  struct Access;
  // What a message says of an access.
  struct Use {
    const cufrt_place *place;
    const char *address;
    const char *array; // null if it is not known
    uint64_t bytes;
    ThreadIndex index;
  };
  // A read of a byte that was not set then: a race if a thread sets it before the next barrier, as
  // the writer reports, and otherwise a mistake of its own.
  struct UnsetRead {
    Use use;
    size_t byte;
    bool update;
  };

  uint32_t &knownTime(size_t thread, size_t lane) { return clocks[thread * 32 + lane]; }
  void join(size_t warp, uint32_t lanes);
  bool isOrdered(const Record &record);
  Byte &byteAt(size_t offset);
  void splitWord(size_t word);
  void accessShared(const Use &use, int32_t kind, uint64_t value);
  void summarise(size_t word);
  bool readWords(size_t first, size_t end, const cufrt_place &place);
  void noteWordReader(size_t word, const cufrt_place &place);
  bool writeWords(size_t first, size_t end, const cufrt_place &place);
  void check(const Access &access, Byte &byte);
  void read(const Access &access, Byte &byte);
  void write(const Access &access, Byte &byte);
  void noteReader(Byte &byte, const Record &reader);
  void reportRace(const Access &access, const Record &other, bool writes, bool otherWrites);
  void noteUnset(const Access &access);
  void checkLanes(size_t warp, LaneFrames frames, uint32_t together, uint32_t alive, uint32_t all);
  void reportLane(int mistake, size_t thread, const cufrt_frame &frame, size_t other);
  void reportUnsetReads();
  void reportOutside(const Use &use);
  void printUse(const Use &use, const char *verb);
  void printTarget(const Use &use);
  ThreadIndex indexOf(int thread) const;
  bool wentPast(size_t thread, const cufrt_place &barrier) const;

  // local_access.cpp
  void accessLocal(const char *address, uint64_t size, int32_t kind, const cufrt_place &place);

  // global_access.cpp
  // What is done with each word of one access.
  struct GlobalAccess {
    uint64_t bytes; // of all words
    bool needsValue, writes;
    const uint32_t *value; // that it writes; null: not known
  };
  struct KnownPage {
    uintptr_t number = 0;
    GlobalPage *page = nullptr;
  };
  static uint32_t numberOf(const cufrt_block &grid);
  void release();
  uint32_t currentMoment();
  GlobalPage *pageOf(uintptr_t page);
  bool isOrdered(const Moment &other);
  bool races(const GlobalWord &word, GlobalWord::Which which, const GlobalUse &own);
  void noteUse(GlobalWord &word, const GlobalUse &own, bool writes);
  void useWord(const char *address, const GlobalAccess &access, const GlobalUse &own);
  void accessGlobal(const char *address, uint64_t size, int32_t kind, uint64_t value,
                    const cufrt_place &place);
  void reportGlobalUnset(const char *address, uint64_t size, const cufrt_place &place);
  void reportGlobalRace(const char *address, uint64_t size, const cufrt_place &place, bool writes,
                        const GlobalUse &other, bool otherWrites);

  static constinit thread_local SharedChecks *running;

  const cufrt_kernel *kernel = nullptr;
  const cufrt_block *block = nullptr;
  uint64_t sharedBytes = 0;
  const cufrt_shared_variable *variables = nullptr; // of the kernel
  ThreadIndex index{};
  uint16_t number = 0; // of the thread in the block, x fastest
  uint32_t epoch = 1;  // raised by barriers and blocks, so memory of old blocks needs no clearing
  uint32_t firstEpoch = 1; // of this block
  std::vector<Byte> words;
  std::vector<Summary> summaries;    // of each word
  std::vector<Byte> splitBytes;      // empty until a word is split
  std::vector<UnsetRead> unsetReads; // since the last barrier, one for each place
  std::vector<uint32_t> clocks;      // for each thread 32 lanes of its warp
  // For each thread the last operation at which threads meet, and the last access; or null.
  std::vector<const cufrt_place *> syncPlaces, accessPlaces;

  // Of device memory: the block by its number, how often it has spoken to others, the running
  // thread's moment (0: not taken yet), and the oldest one of this launch.
  uint32_t blockNumber = 0, releases = 0, moment = 0, oldestMoment = 0;
  MomentSource moments;
  std::array<KnownPage, 16> knownPages;
  ArenaRange arena{};
  struct Room {
    const void *address;
    int64_t bytes;
  };
  std::array<Room, 16> rooms{};
  size_t nextRoom = 0;
};

} // namespace cufrt::host
#endif // CUFRT_HOST_SHARED_CHECKS_H
