// One walk (section.h) becomes as few calls of the device as the plan finds (copy_plan.h). Sections
// that overlap go through a dense buffer on the device.
//
// Directions are passed to the device as cudaMemcpyDefault: with unified addressing the device
// knows where a pointer leads, also for managed memory. All calls of one copy go to one queue.
#include "core/copy.h"
#include "core/copy_plan.h"
#include "core/default_stream.h"
#include "cufrt/memory_types.h"
#include "report/work.h"

#include <cstdlib>
#include <cstring>

namespace cufrt {
namespace {

// Whether the host's side is pinned memory; asked only where it matters, for narrow rows.
bool isPinned(const Walk &walk, Direction direction) {
  if (direction == Direction::deviceToDevice || walk.blockBytes >= 64)
    return false;
  const void *host = direction == Direction::hostToDevice ? walk.from : walk.to;
  PointerAttributes attributes{};
  return api().pointerAttributes(attributes, host) == success && attributes.type == hostMemory;
}

Error copyInQueue(const Section &to, const Section &from, Direction direction, const Queue &queue);

Error copyBlock(const Walk &walk, const CopyPlan &plan, char *to, const char *from,
                const Queue &queue) {
  const Walk::Loop &row = walk.loop[plan.row], &slice = walk.loop[plan.slice];
  auto toPitch = static_cast<size_t>(row.toStride), fromPitch = static_cast<size_t>(row.fromStride);
  BlockCopy copy{};
  copy.source = {const_cast<char *>(from), fromPitch, walk.blockBytes,
                 static_cast<size_t>(slice.fromStride) / fromPitch};
  copy.target = {to, toPitch, walk.blockBytes, static_cast<size_t>(slice.toStride) / toPitch};
  copy.extent = {walk.blockBytes, static_cast<size_t>(row.extent),
                 static_cast<size_t>(slice.extent)};
  copy.kind = copyDefault;
  return queue.copyBlock(copy);
}

// One call of the device.
Error copyAtOnce(const Walk &walk, const CopyPlan &plan, char *to, const char *from,
                 const Queue &queue) {
  if (plan.row < 0)
    return queue.copy(to, from, walk.blockBytes);
  if (plan.slice >= 0)
    return copyBlock(walk, plan, to, from, queue);
  const Walk::Loop &loop = walk.loop[plan.row];
  return queue.copyRows(to, static_cast<size_t>(loop.toStride), from,
                        static_cast<size_t>(loop.fromStride), walk.blockBytes,
                        static_cast<size_t>(loop.extent));
}

// Runs the loops that the calls leave, outermost first.
Error copyLoops(const Walk &walk, const CopyPlan &plan, int outermost, char *to, const char *from,
                const Queue &queue) {
  while (outermost >= 0 && (outermost == plan.row || outermost == plan.slice))
    --outermost;
  if (outermost < 0)
    return copyAtOnce(walk, plan, to, from, queue);
  const Walk::Loop &loop = walk.loop[outermost];
  for (int64_t i = 0; i < loop.extent; ++i) {
    Error error = copyLoops(walk, plan, outermost - 1, to + i * loop.toStride,
                            from + i * loop.fromStride, queue);
    if (error != success)
      return error;
  }
  return success;
}

Error copyDirectly(const Walk &walk, const CopyPlan &plan, const Queue &queue) {
  return copyLoops(walk, plan, walk.loops - 1, walk.to, walk.from, queue);
}

struct HostBuffer {
  explicit HostBuffer(size_t bytes) : memory(std::malloc(bytes ? bytes : 1)) {}
  HostBuffer(const HostBuffer &) = delete;
  ~HostBuffer() { std::free(memory); }
  void *memory;
};

// Turns the loops forward on one side, so that it can be copied to or from a dense buffer; the
// other side then takes any sign.
void turnForwardOn(Walk &walk, int64_t Walk::Loop::*stride) {
  for (int i = 0; i < walk.loops; ++i) {
    Walk::Loop &loop = walk.loop[i];
    if (loop.*stride >= 0)
      continue;
    walk.to += (loop.extent - 1) * loop.toStride;
    walk.from += (loop.extent - 1) * loop.fromStride;
    loop.toStride = -loop.toStride;
    loop.fromStride = -loop.fromStride;
  }
}

// Copies device section to or from dense host memory; both run forward. The host's side may be used
// afterwards.
Error copyForward(const Section &to, const Section &from, const Queue &queue) {
  Walk walk = makeWalk(to, from);
  return queue.finish(copyDirectly(walk, planDirectCopy(walk), queue));
}

Error copyThroughHost(Walk walk, Direction direction, const Queue &queue) {
  bool fromHost = direction == Direction::hostToDevice;
  turnForwardOn(walk, fromHost ? &Walk::Loop::toStride : &Walk::Loop::fromStride);
  Section to = toSide(walk), from = fromSide(walk);
  HostBuffer buffer(to.bytes());
  if (!buffer.memory)
    return errorMemoryAllocation;
  Section dense = denseSection(buffer.memory, to);
  if (fromHost) {
    copyOnHost(dense, from);
    return copyForward(to, dense, queue);
  }
  Error error = copyForward(dense, from, queue);
  if (error != success)
    return error;
  if (direction == Direction::deviceToDevice)
    return queue.finish(copyInQueue(to, dense, Direction::hostToDevice, queue));
  copyOnHost(to, dense);
  return success;
}

Error copyThroughDevice(const Section &to, const Section &from, Direction direction,
                        const Queue &queue) {
  void *memory = nullptr;
  Error error = api().cudaMalloc(&memory, from.bytes());
  if (error != success)
    return error;
  Section dense = denseSection(memory, from);
  bool hostSource = direction == Direction::hostToDevice;
  error = copyInQueue(dense, from, hostSource ? direction : Direction::deviceToDevice, queue);
  if (error == success)
    error = copyInQueue(to, dense, hostSource ? Direction::deviceToDevice : direction, queue);
  error = queue.finish(error);
  Error freed = api().cudaFree(memory);
  return error != success ? error : freed;
}

bool sameLayout(const Walk &walk) {
  if (walk.to != walk.from)
    return false;
  for (int i = 0; i < walk.loops; ++i)
    if (walk.loop[i].toStride != walk.loop[i].fromStride)
      return false;
  return true;
}

Error copyInQueue(const Section &to, const Section &from, Direction direction, const Queue &queue) {
  Walk walk = makeWalk(to, from);
  if (walk.blockBytes == 0 || sameLayout(walk))
    return success;
  if (overlap(to, from))
    return copyThroughDevice(to, from, direction, queue);
  if (walk.loops == 0)
    return queue.copy(walk.to, walk.from, walk.blockBytes);
  CopyPlan plan = planCopy(walk, direction, isPinned(walk, direction));
  return plan.packed ? copyThroughHost(walk, direction, queue) : copyDirectly(walk, plan, queue);
}

template <size_t bytes>
void copyRow(char *to, const char *from, const Walk::Loop &loop) {
  for (int64_t i = 0; i < loop.extent; ++i)
    std::memcpy(to + i * loop.toStride, from + i * loop.fromStride, bytes);
}

// The innermost loop on the host, with the common block sizes known to the compiler.
void copyInnerLoop(const Walk &walk, char *to, const char *from) {
  const Walk::Loop &loop = walk.loop[0];
  switch (walk.blockBytes) {
  case 1:
    return copyRow<1>(to, from, loop);
  case 2:
    return copyRow<2>(to, from, loop);
  case 4:
    return copyRow<4>(to, from, loop);
  case 8:
    return copyRow<8>(to, from, loop);
  case 16:
    return copyRow<16>(to, from, loop);
  default:
    for (int64_t i = 0; i < loop.extent; ++i)
      std::memcpy(to + i * loop.toStride, from + i * loop.fromStride, walk.blockBytes);
  }
}

void copyHostLoops(const Walk &walk, int outermost, char *to, const char *from) {
  if (outermost == 0)
    return copyInnerLoop(walk, to, from);
  const Walk::Loop &loop = walk.loop[outermost];
  for (int64_t i = 0; i < loop.extent; ++i)
    copyHostLoops(walk, outermost - 1, to + i * loop.toStride, from + i * loop.fromStride);
}

} // namespace

void copyOnHost(const Section &to, const Section &from) {
  Walk walk = makeWalk(to, from);
  if (walk.loops == 0)
    std::memcpy(walk.to, walk.from, walk.blockBytes);
  else
    copyHostLoops(walk, walk.loops - 1, walk.to, walk.from);
}

Error copySection(const Section &to, const Section &from, Direction direction) {
  report::OriginScope origin(report::Origin::assignment);
  Queue queue = Queue::of(to.base, from.base);
  return queue.finish(copyInQueue(to, from, direction, queue));
}

} // namespace cufrt
