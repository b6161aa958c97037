// See copy_plan.h. In this order of preference:
//   - one cudaMemcpy, where both sides are contiguous;
//   - one cudaMemcpy2D or cudaMemcpy3D for the loops with most iterations, or a few of them with
//     much to copy each;
//   - a copy through a dense buffer on the host, where rows are narrow or an index runs backwards,
//     since packing in the cache is faster than many small rows on the bus;
//   - one cudaMemcpy for each block, where elements of one side share bytes.
#include "core/copy_plan.h"

namespace cufrt {
namespace {

// Rows of at least this many bytes are left to the device, as measured on an H200: it reads and
// writes pinned memory by itself, pageable memory goes through the driver's buffers.
size_t wideRow(Direction direction, bool isPinned) {
  return !isPinned ? 64 : direction == Direction::hostToDevice ? 16 : 8;
}

// A call with less to copy takes longer than packing what it copies.
constexpr int64_t bytesWorthACall = 65536;
constexpr int64_t maxPitch = INT32_MAX;

bool isPitch(int64_t stride, const Walk &walk) {
  return stride >= static_cast<int64_t>(walk.blockBytes) && stride <= maxPitch;
}

// Rows must not share bytes.
bool canBeRows(const Walk &walk, const Walk::Loop &loop) {
  return isPitch(loop.toStride, walk) && isPitch(loop.fromStride, walk);
}

// A slice is a whole number of rows.
bool isSlice(int64_t outer, int64_t inner, int64_t rows) {
  return outer >= inner * rows && outer % inner == 0;
}

bool canBeSlices(const Walk::Loop &outer, const Walk::Loop &inner) {
  return isSlice(outer.toStride, inner.toStride, inner.extent) &&
         isSlice(outer.fromStride, inner.fromStride, inner.extent);
}

int64_t iterationsOf(const Walk &walk, const CopyPlan &plan) {
  return (plan.row < 0 ? 1 : walk.loop[plan.row].extent) *
         (plan.slice < 0 ? 1 : walk.loop[plan.slice].extent);
}

void prefer(CopyPlan &plan, const Walk &walk, int row, int slice) {
  CopyPlan other{false, row, slice, 1};
  if (iterationsOf(walk, other) > iterationsOf(walk, plan))
    plan = other;
}

bool worthPacking(const Walk &walk, const CopyPlan &plan, Direction direction, bool isPinned) {
  if (plan.row < 0)
    return walk.loops > 0;
  // Between device and device there is no cheaper way for any row.
  if (direction == Direction::deviceToDevice)
    return false;
  Section hostSide = direction == Direction::hostToDevice ? fromSide(walk) : toSide(walk);
  if (isContiguous(hostSide))
    return false;
  auto bytesOfCall = static_cast<int64_t>(walk.blockBytes) * iterationsOf(walk, plan);
  return walk.blockBytes < wideRow(direction, isPinned) ||
         (plan.calls > 1 && bytesOfCall < bytesWorthACall);
}

} // namespace

CopyPlan planDirectCopy(const Walk &walk) {
  CopyPlan plan{false, -1, -1, 1};
  for (int row = 0; row < walk.loops; ++row) {
    if (!canBeRows(walk, walk.loop[row]))
      continue;
    prefer(plan, walk, row, -1);
    for (int slice = 0; slice < walk.loops; ++slice)
      if (slice != row && canBeSlices(walk.loop[slice], walk.loop[row]))
        prefer(plan, walk, row, slice);
  }
  for (int i = 0; i < walk.loops; ++i)
    if (i != plan.row && i != plan.slice)
      plan.calls *= walk.loop[i].extent;
  return plan;
}

CopyPlan planCopy(const Walk &walk, Direction direction, bool isPinned) {
  CopyPlan plan = planDirectCopy(walk);
  plan.packed = worthPacking(walk, plan, direction, isPinned);
  return plan;
}

} // namespace cufrt
