// See block_run.h.
#include "host/block_run.h"
#include "host/limits.h"
#include "host/message.h"

#include <bit>
#include <cstring>

namespace cufrt::host {
namespace {

constexpr size_t frameAlignment = 16;

uint32_t lanesOf(int threads, size_t warp) {
  int lanes = threads - static_cast<int>(warp) * warpSize;
  return lanes >= warpSize ? ~0u : (1u << lanes) - 1;
}

} // namespace

void BlockRun::prepare(const Grid &grid) {
  size_t bytes = grid.kernel->frame_bytes;
  frameStride = (bytes + frameAlignment - 1) / frameAlignment * frameAlignment;
  frames.reserve(frameStride * static_cast<size_t>(grid.threads));
  shared.reserve(grid.sharedBytes);
  warps.resize(static_cast<size_t>((grid.threads + warpSize - 1) / warpSize));
  checks.reset();
  if (grid.kernel->flags & CUFRT_CHECKED) {
    checks = std::make_unique<SharedChecks>();
    checks->prepare(grid);
  }
}

void BlockRun::start(const Grid &grid, int64_t blockNumber) {
  block = blockOf(grid, blockNumber);
  block.shared = shared.get();
  block.cluster_shared = &block.shared; // a cluster of one block, until joinCluster
  for (int thread = 0; thread < grid.threads; ++thread)
    std::memset(frames.get() + static_cast<size_t>(thread) * frameStride, 0, sizeof(cufrt_frame));
  for (size_t i = 0; i < warps.size(); ++i) {
    uint32_t lanes = lanesOf(grid.threads, i);
    warps[i] = Warp{lanes, lanes, 0, 0, 0, 0};
  }
  barrierReduces = false;
  if (checks)
    checks->startBlock(block);
  debugged.enter(
      {nullptr, grid.kernel, &block, frames.get(), frameStride, warps.data(), grid.threads, 0});
}

LaneFrames BlockRun::framesOf(size_t warp) const {
  return {frames.get() + warp * warpSize * frameStride, frameStride};
}

// The inner loop of every synchronising kernel: one indirect call for each thread and barrier.
void BlockRun::resumeLanes(const Grid &grid, Warp &warp, size_t number) {
  LaneFrames lanes = framesOf(number);
  const ThreadIndex *index = &grid.threadIndex[number * warpSize];
  cufrt_resume_thread resume = grid.kernel->resume_thread;
  uint32_t returned = 0, atBarrier = 0, reducing = 0;
  for (uint32_t ready = warp.ready; ready; ready &= ready - 1) {
    int lane = std::countr_zero(ready);
    uint32_t bit = 1u << lane;
    cufrt_frame &frame = lanes[lane];
    if (&frame == cufrt_debugger_awaited) [[unlikely]]
      cufrt_debugger_resumed(&frame);
    if (!resume(&block, grid.arguments, &frame, index[lane].x, index[lane].y, index[lane].z)) {
      returned |= bit;
    } else if (frame.operation <= CUFRT_BARRIER_COUNT) {
      atBarrier |= bit;
      reducing |= frame.operation != CUFRT_BARRIER;
    } else if (frame.operation == CUFRT_GRID_BARRIER) {
      warp.at_grid |= bit;
    } else if (frame.operation == CUFRT_CLUSTER_BARRIER) {
      warp.at_cluster |= bit;
    } else {
      warp.at_operation |= bit;
    }
  }
  warp.ready = 0;
  warp.alive &= ~returned;
  warp.at_barrier |= atBarrier;
  barrierReduces |= reducing != 0;
}

void BlockRun::runWarp(const Grid &grid, size_t number) {
  Warp &warp = warps[number];
  while (warp.ready) {
    resumeLanes(grid, warp, number);
    if (!warp.at_operation)
      continue;
    warp.ready = completeWarpOperations(framesOf(number), warp.at_operation, warp.alive);
    if (checks)
      checks->passWarpOperation(number, framesOf(number), warp.ready, warp.alive,
                                lanesOf(grid.threads, number));
    warp.at_operation &= ~warp.ready;
  }
}

Progress BlockRun::run(const Grid &grid) {
  if (checks)
    checks->enter();
  for (;;) {
    uint32_t alive = 0, atCluster = 0, atGrid = 0, atBarrier = 0, atOperation = 0;
    for (size_t i = 0; i < warps.size(); ++i) {
      runWarp(grid, i);
      alive |= warps[i].alive;
      atCluster |= warps[i].at_cluster;
      atGrid |= warps[i].at_grid;
      atBarrier |= warps[i].at_barrier;
      atOperation |= warps[i].at_operation;
    }
    if (!alive) {
      if (checks)
        checks->endBlock();
      leave();
      return Progress::finished;
    }
    if (atOperation || (atGrid != 0) + (atCluster != 0) + (atBarrier != 0) > 1)
      return Progress::stuck;
    if (atGrid)
      return Progress::waitsForGrid;
    if (atCluster)
      return Progress::waitsForCluster;
    if (checks)
      checks->meet(warps.data(), grid.threads);
    completeBarrier();
  }
}

void BlockRun::completeBarrier() {
  if (barrierReduces)
    reduceBarrier();
  barrierReduces = false;
  if (checks)
    checks->passBarrier();
  for (Warp &warp : warps) {
    warp.ready = warp.at_barrier;
    warp.at_barrier = 0;
  }
}

// syncthreads_and, _or and _count. Threads at a plain barrier take part in the barrier but have no
// predicate.
void BlockRun::reduceBarrier() {
  uint64_t asked = 0, yes = 0;
  auto forEachFrame = [&](auto action) {
    for (size_t i = 0; i < warps.size(); ++i)
      for (uint32_t lanes = warps[i].at_barrier; lanes; lanes &= lanes - 1)
        action(framesOf(i)[std::countr_zero(lanes)]);
  };
  forEachFrame([&](const cufrt_frame &frame) {
    asked += frame.operation != CUFRT_BARRIER;
    yes += frame.operation != CUFRT_BARRIER && frame.operand != 0;
  });
  forEachFrame([&](cufrt_frame &frame) {
    if (frame.operation == CUFRT_BARRIER_AND)
      frame.result = yes == asked;
    else if (frame.operation == CUFRT_BARRIER_OR)
      frame.result = yes != 0;
    else if (frame.operation == CUFRT_BARRIER_COUNT)
      frame.result = yes;
  });
}

void BlockRun::releaseGridBarrier() {
  if (checks)
    checks->passGridBarrier();
  for (Warp &warp : warps) {
    warp.ready |= warp.at_grid;
    warp.at_grid = 0;
  }
}

void BlockRun::releaseClusterBarrier() {
  if (checks)
    checks->passGridBarrier();
  for (Warp &warp : warps) {
    warp.ready |= warp.at_cluster;
    warp.at_cluster = 0;
  }
}

void BlockRun::reportGroup(const Grid &grid, uint32_t Warp::*lanes, std::FILE *out) const {
  int count = 0;
  size_t first = 0;
  for (size_t i = warps.size(); i-- > 0;) {
    uint32_t group = warps[i].*lanes;
    count += std::popcount(group);
    if (group)
      first = i * warpSize + static_cast<size_t>(std::countr_zero(group));
  }
  if (count == 0)
    return;
  const cufrt_frame &frame = framesOf(first / warpSize)[static_cast<int>(first % warpSize)];
  ThreadIndex index = grid.threadIndex[first];
  std::fprintf(out, "  %d thread%s at a %s, the first is thread (%d,%d,%d)", count,
               count == 1 ? " waits" : "s wait", operationName(frame.operation), index.x + 1,
               index.y + 1, index.z + 1);
  if (lanes == &Warp::at_operation)
    std::fprintf(out, " with mask 0x%08x", frame.mask);
  std::fputc('\n', out);
}

// Indices are given as Fortran counts them.
void BlockRun::reportStuck(const Grid &grid) const {
  Message message;
  std::FILE *out = message.stream();
  std::fprintf(out, "cufrt: kernel %s cannot go on in block (%d,%d,%d) of %d threads:\n",
               grid.kernel->display, block.block_index[0] + 1, block.block_index[1] + 1,
               block.block_index[2] + 1, grid.threads);
  reportGroup(grid, &Warp::at_barrier, out);
  reportGroup(grid, &Warp::at_cluster, out);
  reportGroup(grid, &Warp::at_grid, out);
  reportGroup(grid, &Warp::at_operation, out);
}

} // namespace cufrt::host
