// See shared_checks.h.
#include "host/shared_checks.h"
#include "host/fault.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>

namespace cufrt::host {

constinit thread_local SharedChecks *SharedChecks::running = nullptr;

struct SharedChecks::Access {
  Record record; // what the bytes remember of it
  int32_t kind;
  bool keepsValue; // it writes what is there already
  Use use;
};

namespace {

constexpr size_t wordBytes = 4;

enum Mistake { unset = 1, outside, race, apart, missing, notInMask, notThere };

const char *verb(bool writes) { return writes ? "writes" : "reads"; }

template <typename Number>
bool holdsNumber(const char *address, uint64_t value) {
  Number there;
  std::memcpy(&there, address, sizeof there);
  return there == static_cast<Number>(value);
}

// Of up to 8 bytes. No call for the usual sizes.
bool holds(const char *address, uint64_t value, uint64_t size) {
  switch (size) {
  case 4:
    return holdsNumber<uint32_t>(address, value);
  case 8:
    return holdsNumber<uint64_t>(address, value);
  default:
    return !std::memcmp(address, &value, size);
  }
}

} // namespace

void SharedChecks::prepare(const Grid &grid) {
  kernel = grid.kernel;
  sharedBytes = grid.sharedBytes;
  size_t count = (sharedBytes + wordBytes - 1) / wordBytes;
  if (words.size() < count) {
    words.resize(count);
    summaries.resize(count);
    if (!splitBytes.empty())
      splitBytes.resize(count * wordBytes);
  }
  syncPlaces.assign(static_cast<size_t>(grid.threads), nullptr);
  accessPlaces = syncPlaces;
  size_t lanes = (static_cast<size_t>(grid.threads) + 31) / 32 * 32;
  for (size_t thread = clocks.size() / 32; thread < lanes; ++thread) {
    clocks.resize((thread + 1) * 32);
    knownTime(thread, thread % 32) = 1;
  }
}

void SharedChecks::startBlock(const cufrt_block &started) {
  block = &started;
  unsetReads.clear(); // of a block that was abandoned
  locals.clear();
  blockNumber = numberOf(started);
  releases = moment = 0;
  oldestMoment = firstMoment();
  arena = arenaRange();
  rooms = {};
  firstEpoch = ++epoch;
  std::fill(syncPlaces.begin(), syncPlaces.end(), nullptr);
  std::fill(accessPlaces.begin(), accessPlaces.end(), nullptr);
}

void SharedChecks::passBarrier() {
  reportUnsetReads();
  ++epoch;
  moment = 0;
}

void SharedChecks::setThread(ThreadIndex now, const cufrt_shared_variable *known) {
  variables = known;
  index = now;
  moment = 0;
  number =
      static_cast<uint16_t>(now.x + block->block_dim[0] * (now.y + block->block_dim[1] * now.z));
}

ThreadIndex SharedChecks::indexOf(int thread) const {
  int x = block->block_dim[0], y = block->block_dim[1];
  return {thread % x, thread / x % y, thread / x / y};
}

bool SharedChecks::wentPast(size_t thread, const cufrt_place &barrier) const {
  const cufrt_place *last = accessPlaces[thread];
  return last && !syncPlaces[thread] && last->line > barrier.line &&
         !std::strcmp(last->file, barrier.file);
}

// Of the threads that wait the first one is compared with all others.
void SharedChecks::meet(const cufrt_warp_lanes *warps, int threads) {
  int first = -1, other = -1;
  auto waits = [&](int thread) { return warps[thread / 32].at_barrier >> (thread % 32) & 1; };
  for (int thread = 0; thread < threads && first < 0; ++thread)
    if (waits(thread))
      first = thread;
  if (first < 0 || !syncPlaces[static_cast<size_t>(first)])
    return;
  const cufrt_place &place = *syncPlaces[static_cast<size_t>(first)];
  const cufrt_place *otherPlace = nullptr;
  for (int thread = 0; thread < threads && other < 0; ++thread) {
    const cufrt_place *at = syncPlaces[static_cast<size_t>(thread)];
    bool isThere = waits(thread) && (!at || (at->line == place.line && at->column == place.column &&
                                             !std::strcmp(at->file, place.file)));
    if (isThere || (!waits(thread) && !wentPast(static_cast<size_t>(thread), place)))
      continue;
    other = thread;
    otherPlace = waits(thread) ? at : nullptr;
  }
  if (other < 0 || !beginReport(place, otherPlace, otherPlace ? apart : missing))
    return;
  printPlace(place);
  std::fputs(": error: ", reportStream());
  printThread(indexOf(first));
  std::fputs(" waits at this barrier, and ", reportStream());
  printThread(indexOf(other));
  std::fputs(otherPlace ? " at another one" : " has gone past it", reportStream());
  printKernel({kernel, block, indexOf(first)});
  if (otherPlace) {
    printPlace(*otherPlace);
    std::fputs(": note: ", reportStream());
    printThread(indexOf(other));
    std::fputs(" waits here\n", reportStream());
  }
  endReport();
}

void SharedChecks::reportLane(int mistake, size_t thread, const cufrt_frame &frame, size_t other) {
  const cufrt_place *place = syncPlaces[thread];
  if (!place || !beginReport(*place, nullptr, mistake))
    return;
  printPlace(*place);
  std::fputs(": error: ", reportStream());
  printThread(indexOf(static_cast<int>(thread)));
  std::fprintf(reportStream(), " takes part in a %s with mask 0x%08x, ",
               operationName(frame.operation), frame.mask);
  if (mistake == notInMask) {
    std::fputs("in which it is not", reportStream());
  } else {
    printThread(indexOf(static_cast<int>(other)));
    std::fputs(" of the mask has ended without it", reportStream());
  }
  printKernel({kernel, block, indexOf(static_cast<int>(thread))});
  endReport();
}

// `together` are lanes that have met. All of them are in their mask, and all lanes of the mask that
// the block has are among them.
void SharedChecks::checkLanes(size_t warp, LaneFrames frames, uint32_t together, uint32_t alive,
                              uint32_t all) {
  auto lane = static_cast<size_t>(std::countr_zero(together));
  const cufrt_frame &first = frames[static_cast<int>(lane)];
  if (uint32_t outside = together & ~first.mask) {
    lane = static_cast<size_t>(std::countr_zero(outside));
    reportLane(notInMask, warp * 32 + lane, frames[static_cast<int>(lane)], 0);
  } else if (uint32_t ended = first.mask & all & ~alive) {
    reportLane(notThere, warp * 32 + lane, first,
               warp * 32 + static_cast<size_t>(std::countr_zero(ended)));
  }
}

void SharedChecks::passWarpOperation(size_t warp, LaneFrames frames, uint32_t lanes, uint32_t alive,
                                     uint32_t all) {
  while (lanes) {
    const cufrt_frame &first = frames[std::countr_zero(lanes)];
    uint32_t together = 0;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
      int lane = std::countr_zero(rest);
      if (frames[lane].mask == first.mask && frames[lane].operation == first.operation)
        together |= 1u << lane;
    }
    if (first.operation != CUFRT_ACTIVE_MASK) { // which orders nothing
      checkLanes(warp, frames, together, alive, all);
      join(warp, together);
    }
    lanes &= ~together;
  }
}

void SharedChecks::join(size_t warp, uint32_t lanes) {
  uint32_t latest[32] = {};
  for (uint32_t rest = lanes; rest; rest &= rest - 1) {
    size_t thread = warp * 32 + static_cast<size_t>(std::countr_zero(rest));
    for (size_t lane = 0; lane < 32; ++lane)
      latest[lane] = std::max(latest[lane], knownTime(thread, lane));
  }
  for (uint32_t rest = lanes; rest; rest &= rest - 1) {
    auto lane = static_cast<size_t>(std::countr_zero(rest));
    std::memcpy(&knownTime(warp * 32 + lane, 0), latest, sizeof latest);
    ++knownTime(warp * 32 + lane, lane);
  }
}

bool SharedChecks::isOrdered(const Record &record) {
  if (record.epoch < epoch || record.thread == number)
    return true;
  return record.thread / 32 == number / 32 && knownTime(number, record.thread % 32) >= record.time;
}

void SharedChecks::accessShared(const Use &use, int32_t kind, uint64_t value) {
  auto offset = static_cast<uint64_t>(use.address - static_cast<const char *>(block->shared));
  if (offset >= sharedBytes || use.bytes > sharedBytes - offset)
    return use.bytes ? reportOutside(use) : void();
  bool atomic = kind >= CUFRT_ATOMIC_READ;
  Record record{use.place, epoch,  knownTime(number, number % 32),
                number,    atomic, kind == CUFRT_ATOMIC_UPDATE};
  Access access{record, kind, false, use};
  access.keepsValue = kind == CUFRT_WRITE_VALUE && holds(use.address, value, use.bytes);
  size_t end = offset + use.bytes;
  bool someSet = kind != CUFRT_READ_PARTS || use.bytes == 0;
  for (size_t i = offset; i < end && !someSet; ++i)
    someSet = byteAt(i).write.epoch >= firstEpoch;
  if (!someSet)
    return noteUnset(access);
  for (size_t i = offset; i < end;) {
    size_t word = i / wordBytes;
    bool isWhole = i % wordBytes == 0 && end - i >= wordBytes;
    if (!isWhole && !words[word].isSplit)
      splitWord(word);
    check(access, byteAt(i));
    summarise(word);
    i += words[word].isSplit ? 1 : wordBytes;
  }
}

void SharedChecks::summarise(size_t word) {
  const Byte &byte = words[word];
  summaries[word] = {byte.write.epoch, byte.readByWarps, byte.write.thread, byte.isSplit};
}

// What most accesses are: reads of whole words that are set, and not since the last barrier by
// another thread. False if it is something else, which is looked at from the start.
[[gnu::always_inline]] inline bool SharedChecks::readWords(size_t first, size_t end,
                                                           const cufrt_place &place) {
  for (size_t word = first; word < end; ++word) {
    const Summary &known = summaries[word];
    bool isOrdered = known.writeEpoch < epoch || known.writer == number;
    if (known.isSplit || known.writeEpoch < firstEpoch || !isOrdered)
      return false;
    if (known.readByWarps != epoch)
      noteWordReader(word, place);
  }
  return true;
}

void SharedChecks::noteWordReader(size_t word, const cufrt_place &place) {
  noteReader(words[word], {&place, epoch, knownTime(number, number % 32), number, false, false});
  summaries[word].readByWarps = words[word].readByWarps;
}

// Writes of whole words that no other thread has used since the last barrier.
bool SharedChecks::writeWords(size_t first, size_t end, const cufrt_place &place) {
  auto isOrdered = [&](const Record &other) {
    return other.epoch < epoch || other.thread == number;
  };
  for (size_t word = first; word < end; ++word)
    if (Byte &byte = words[word]; byte.isSplit || !isOrdered(byte.write) ||
                                  !isOrdered(byte.reads[0]) || !isOrdered(byte.reads[1]))
      return false;
  for (size_t word = first; word < end; ++word) {
    words[word].write = {&place, epoch, knownTime(number, number % 32), number, false, false};
    summarise(word);
  }
  return true;
}

bool SharedChecks::isKnownRoom(const void *address, int64_t bytes) const {
  for (const Room &room : rooms)
    if (room.address == address && room.bytes >= bytes)
      return true;
  return false;
}

void SharedChecks::noteRoom(const void *address, int64_t bytes) {
  rooms[nextRoom++ % rooms.size()] = {address, bytes};
}

SharedChecks::Byte &SharedChecks::byteAt(size_t offset) {
  return words[offset / wordBytes].isSplit ? splitBytes[offset] : words[offset / wordBytes];
}

void SharedChecks::splitWord(size_t word) {
  words[word].isSplit = true;
  splitBytes.resize(words.size() * wordBytes);
  std::fill_n(splitBytes.begin() + static_cast<ptrdiff_t>(word * wordBytes), wordBytes,
              words[word]);
}

void SharedChecks::check(const Access &access, Byte &byte) {
  bool isUnset = byte.write.epoch < firstEpoch;
  switch (access.kind) {
  case CUFRT_READ:
  case CUFRT_ATOMIC_READ:
    if (isUnset)
      noteUnset(access);
    return read(access, byte);
  case CUFRT_READ_PARTS:
    return read(access, byte);
  case CUFRT_ATOMIC_UPDATE:
    if (isUnset)
      noteUnset(access);
    return write(access, byte);
  default:
    return write(access, byte);
  }
}

void SharedChecks::read(const Access &access, Byte &byte) {
  if (!isOrdered(byte.write) && !(access.record.atomic && byte.write.atomic))
    reportRace(access, byte.write, false, true);
  noteReader(byte, access.record);
}

// Of the two readers that are remembered, the older one is of another warp if possible. Whoever
// writes before the next barrier then races with one of them, so others need not be remembered.
void SharedChecks::noteReader(Byte &byte, const Record &reader) {
  if (byte.readByWarps == epoch)
    return;
  Record &newer = byte.reads[0], &older = byte.reads[1];
  bool replacesOlder = older.epoch < epoch || older.thread / 32 == reader.thread / 32;
  if (newer.epoch == epoch && newer.thread != reader.thread && replacesOlder)
    older = newer;
  newer = reader;
  if (older.epoch == epoch && older.thread / 32 != newer.thread / 32 && !older.atomic &&
      !newer.atomic)
    byte.readByWarps = epoch;
}

// Threads that all write the same value are no mistake.
void SharedChecks::write(const Access &access, Byte &byte) {
  auto races = [&](const Record &other) {
    return !isOrdered(other) && !(access.record.atomic && other.atomic);
  };
  if (races(byte.write) && !access.keepsValue)
    reportRace(access, byte.write, true, true);
  for (const Record &reader : byte.reads)
    if (races(reader))
      reportRace(access, reader, true, false);
  // A thread's atomic operation orders nothing that it has written plainly before.
  const Record &last = byte.write;
  bool ownPlain = access.record.atomic && !last.atomic && last.epoch == epoch &&
                  last.thread == number && last.time == access.record.time;
  if (!ownPlain)
    byte.write = access.record;
}

// "element 3 of shared array 'tile'", or "bytes 9 to 12 of shared memory" where no array is known,
// as in dynamic shared memory.
void SharedChecks::printTarget(const Use &use) {
  const char *start = static_cast<const char *>(block->shared), *name = use.place->name;
  auto offset = static_cast<uint64_t>(use.address - start);
  bool isKnown = use.array;
  if (use.array)
    start = use.array;
  for (const cufrt_shared_variable *each = variables; !isKnown && each->name; ++each)
    if (offset - each->offset < each->bytes) {
      isKnown = true;
      start += each->offset;
      name = each->name;
    }
  auto distance = static_cast<long long>(use.address - start);
  auto length = static_cast<long long>(use.bytes);
  if (isKnown && length && length <= 16 && distance % length == 0)
    std::fprintf(reportStream(), "element %lld of ", distance / length + 1);
  else
    std::fprintf(reportStream(), "bytes %lld to %lld of ", distance + 1, distance + length);
  if (isKnown && name[0])
    std::fprintf(reportStream(), "shared array '%s'", name);
  else
    std::fputs("shared memory", reportStream());
}

// "place: error: thread (1,1,1) reads element 3 of shared array 'tile'"
void SharedChecks::printUse(const Use &use, const char *verb) {
  printPlace(*use.place);
  std::fputs(": error: ", reportStream());
  printThread(use.index);
  std::fprintf(reportStream(), " %s ", verb);
  printTarget(use);
}

void SharedChecks::reportRace(const Access &access, const Record &other, bool writes,
                              bool otherWrites) {
  if (!beginReport(*access.use.place, other.place, race))
    return;
  printUse(access.use, verb(writes));
  std::fputs(", and ", reportStream());
  printThread(indexOf(other.thread));
  std::fprintf(reportStream(), " %s it, without a barrier between", verb(otherWrites));
  printKernel(thread());
  printPlace(*other.place);
  std::fputs(": note: ", reportStream());
  printThread(indexOf(other.thread));
  std::fprintf(reportStream(), " %s it here\n", verb(otherWrites));
  endReport();
}

void SharedChecks::noteUnset(const Access &access) {
  const Use &use = access.use;
  for (const UnsetRead &known : unsetReads)
    if (known.use.place == use.place)
      return;
  auto offset = static_cast<size_t>(use.address - static_cast<const char *>(block->shared));
  while (byteAt(offset).write.epoch >= firstEpoch)
    ++offset; // to one that is not set
  unsetReads.push_back({use, offset, access.record.update});
}

void SharedChecks::reportUnsetReads() {
  for (const UnsetRead &read : unsetReads) {
    const Record &write = byteAt(read.byte).write;
    bool setMeanwhile = write.epoch >= firstEpoch && !(read.update && write.update);
    if (setMeanwhile || !beginReport(*read.use.place, nullptr, unset))
      continue;
    printUse(read.use, read.update ? "updates" : verb(false));
    std::fputs(", which no thread of the block has set", reportStream());
    printKernel({kernel, block, read.use.index});
    endReport();
  }
  unsetReads.clear();
}

void SharedChecks::reportOutside(const Use &use) {
  if (beginReport(*use.place, nullptr, outside)) {
    printUse(use, "uses");
    std::fprintf(reportStream(), ", outside of the block's %llu bytes",
                 static_cast<unsigned long long>(sharedBytes));
    printKernel(thread());
    endReport();
  }
  abandonBlock();
}

// The common ways first: everything else is a call further.
[[gnu::always_inline]] inline void SharedChecks::access(const char *address, uint64_t size,
                                                        int32_t kind, uint64_t value,
                                                        const char *array,
                                                        const cufrt_place &place) {
  accessPlaces[number] = &place;
  auto offset = static_cast<uint64_t>(address - static_cast<const char *>(block->shared));
  bool isInside = offset < sharedBytes && size <= sharedBytes - offset;
  if (!isInside && !array) // to other memory, or to that of another block of the cluster
    return accessGlobal(address, size, kind, value, place);
  if (isInside && (offset | size) % wordBytes == 0) {
    size_t first = offset / wordBytes, end = (offset + size) / wordBytes;
    if (kind == CUFRT_READ ? readWords(first, end, place)
                           : kind == CUFRT_WRITE_VALUE && writeWords(first, end, place))
      return;
  }
  accessShared({&place, address, array, size, index}, kind, value);
}

} // namespace cufrt::host

// One call from the program's code to here.
extern "C" void cufrt_check_access(const void *address, uint64_t bytes, int32_t access,
                                   uint64_t value, const void *array, const cufrt_place *place) {
  cufrt::host::SharedChecks::current()->access(static_cast<const char *>(address), bytes, access,
                                               value, static_cast<const char *>(array), *place);
}
