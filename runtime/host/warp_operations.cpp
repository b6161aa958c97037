// See warp_operations.h.
#include "host/warp_operations.h"
#include "host/matrix_operations.h"

#include <algorithm>
#include <bit>

namespace cufrt::host {
namespace {

template <typename Action>
void forEachLane(uint32_t lanes, Action action) {
  for (; lanes; lanes &= lanes - 1)
    action(std::countr_zero(lanes));
}

template <typename Predicate>
uint32_t lanesWhere(uint32_t lanes, Predicate predicate) {
  uint32_t result = 0;
  forEachLane(lanes, [&](int lane) {
    if (predicate(lane))
      result |= 1u << lane;
  });
  return result;
}

void setResult(LaneFrames frames, uint32_t members, uint64_t result) {
  forEachLane(members, [&](int lane) { frames[lane].result = result; });
}

void vote(LaneFrames frames, int operation, uint32_t members, uint32_t receivers) {
  uint32_t yes = lanesWhere(members, [&](int lane) { return frames[lane].operand != 0; });
  switch (operation) {
  case CUFRT_VOTE_ALL:
    return setResult(frames, receivers, yes == members);
  case CUFRT_VOTE_ANY:
    return setResult(frames, receivers, yes != 0);
  case CUFRT_VOTE_UNIFORM:
    return setResult(frames, receivers, yes == members || yes == 0);
  default:
    return setResult(frames, receivers, yes);
  }
}

// The lane that a shuffle reads from, and whether it is inside the segment (PTX ISA, shfl.sync).
struct Source {
  int lane;
  bool inRange;
};

Source shuffleSource(const cufrt_frame &frame, int lane) {
  int distance = frame.lane & 31;
  int clamp = frame.clamp & 31, segment = frame.clamp >> 8 & 31;
  int maxLane = (lane & segment) | (clamp & ~segment);
  int minLane = lane & segment;
  switch (frame.operation) {
  case CUFRT_SHUFFLE_UP:
    return {lane - distance, lane - distance >= maxLane};
  case CUFRT_SHUFFLE_DOWN:
    return {lane + distance, lane + distance <= maxLane};
  case CUFRT_SHUFFLE_XOR:
    return {lane ^ distance, (lane ^ distance) <= maxLane};
  default:
    break;
  }
  int source = minLane | (distance & ~segment);
  return {source, source <= maxLane};
}

// All operands are read before a result is written, though they are different fields: a frame
// belongs to the compiler, which may look at its operand again.
void shuffle(LaneFrames frames, uint32_t members) {
  forEachLane(members, [&](int lane) {
    cufrt_frame &frame = frames[lane];
    Source source = shuffleSource(frame, lane);
    // A lane that takes no part has no defined value; the caller's own is returned.
    bool readable = source.inRange && (members >> source.lane & 1);
    uint32_t value = static_cast<uint32_t>(frames[readable ? source.lane : lane].operand);
    frame.result = static_cast<uint64_t>(source.inRange) << 32 | value;
  });
}

void matchAny(LaneFrames frames, uint32_t members) {
  forEachLane(members, [&](int lane) {
    uint64_t value = frames[lane].operand;
    frames[lane].result =
        lanesWhere(members, [&](int other) { return frames[other].operand == value; });
  });
}

void matchAll(LaneFrames frames, uint32_t members) {
  uint64_t value = frames[std::countr_zero(members)].operand;
  uint32_t equal = lanesWhere(members, [&](int lane) { return frames[lane].operand == value; });
  setResult(frames, members, equal == members ? members : 0);
}

int32_t combined(int operation, int32_t a, int32_t b) {
  switch (operation) {
  case CUFRT_REDUCE_ADD:
    return static_cast<int32_t>(static_cast<uint32_t>(a) + static_cast<uint32_t>(b));
  case CUFRT_REDUCE_MIN:
    return std::min(a, b);
  case CUFRT_REDUCE_MAX:
    return std::max(a, b);
  case CUFRT_REDUCE_AND:
    return a & b;
  case CUFRT_REDUCE_OR:
    return a | b;
  default:
    return a ^ b;
  }
}

void reduce(LaneFrames frames, int operation, uint32_t members) {
  auto valueOf = [&](int lane) { return static_cast<int32_t>(frames[lane].operand); };
  int32_t total = valueOf(std::countr_zero(members));
  forEachLane(members & (members - 1),
              [&](int lane) { total = combined(operation, total, valueOf(lane)); });
  setResult(frames, members, static_cast<uint32_t>(total));
}

// A lane outside the mask that it gives itself has no defined result; it gets the members' vote, or
// its own value.
void complete(LaneFrames frames, int operation, uint32_t members, uint32_t receivers) {
  forEachLane(receivers & ~members, [&](int lane) { frames[lane].result = frames[lane].operand; });
  switch (operation) {
  case CUFRT_VOTE_ALL:
  case CUFRT_VOTE_ANY:
  case CUFRT_VOTE_UNIFORM:
  case CUFRT_VOTE_BALLOT:
    return vote(frames, operation, members, receivers);
  case CUFRT_SHUFFLE_INDEX:
  case CUFRT_SHUFFLE_UP:
  case CUFRT_SHUFFLE_DOWN:
  case CUFRT_SHUFFLE_XOR:
    return shuffle(frames, members);
  case CUFRT_MATCH_ANY:
    return matchAny(frames, members);
  case CUFRT_MATCH_ALL:
    return members ? matchAll(frames, members) : void();
  case CUFRT_REDUCE_ADD:
  case CUFRT_REDUCE_MIN:
  case CUFRT_REDUCE_MAX:
  case CUFRT_REDUCE_AND:
  case CUFRT_REDUCE_OR:
  case CUFRT_REDUCE_XOR:
    return members ? reduce(frames, operation, members) : void();
  case CUFRT_MATRIX:
    return operateOnMatrices(frames, members);
  default: // CUFRT_WARP_BARRIER has no result
    return;
  }
}

// Lanes that ask which lanes are active wait for nobody: those that are here together are.
uint32_t answerActive(LaneFrames frames, uint32_t waiting) {
  uint32_t asking =
      lanesWhere(waiting, [&](int lane) { return frames[lane].operation == CUFRT_ACTIVE_MASK; });
  forEachLane(asking, [&](int lane) {
    frames[lane].result =
        lanesWhere(asking, [&](int other) { return frames[other].state == frames[lane].state; });
  });
  return asking;
}

} // namespace

uint32_t completeWarpOperations(LaneFrames frames, uint32_t waiting, uint32_t alive) {
  uint32_t released = answerActive(frames, waiting);
  waiting &= ~released;
  while (waiting) {
    const cufrt_frame &leader = frames[std::countr_zero(waiting)];
    uint32_t same = lanesWhere(waiting, [&](int lane) {
      return frames[lane].operation == leader.operation && frames[lane].mask == leader.mask;
    });
    uint32_t members = same & leader.mask;
    bool allArrived = (leader.mask & alive & ~same) == 0;
    if (allArrived) {
      complete(frames, leader.operation, members, same);
      released |= same;
    }
    waiting &= ~same;
  }
  return released;
}

const char *operationName(int operation) {
  switch (operation) {
  case CUFRT_ACTIVE_MASK:
    return "question for the active lanes";
  case CUFRT_WARP_BARRIER:
    return "barrier of the warp";
  case CUFRT_VOTE_ALL:
  case CUFRT_VOTE_ANY:
  case CUFRT_VOTE_UNIFORM:
  case CUFRT_VOTE_BALLOT:
    return "vote of the warp";
  case CUFRT_SHUFFLE_INDEX:
  case CUFRT_SHUFFLE_UP:
  case CUFRT_SHUFFLE_DOWN:
  case CUFRT_SHUFFLE_XOR:
    return "shuffle";
  case CUFRT_MATCH_ANY:
  case CUFRT_MATCH_ALL:
    return "match of the warp";
  case CUFRT_REDUCE_ADD:
  case CUFRT_REDUCE_MIN:
  case CUFRT_REDUCE_MAX:
  case CUFRT_REDUCE_AND:
  case CUFRT_REDUCE_OR:
  case CUFRT_REDUCE_XOR:
    return "reduction of the warp";
  case CUFRT_MATRIX:
    return "operation on matrices of the warp";
  case CUFRT_CLUSTER_BARRIER:
    return "barrier of the cluster";
  case CUFRT_GRID_BARRIER:
    return "barrier of the grid";
  default:
    return "barrier of the block";
  }
}

} // namespace cufrt::host
