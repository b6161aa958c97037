// One thread block of a kernel that synchronises, on its way from start to end.
//
// Each thread is a state machine that the compiler made (cufrt_resume_thread): it runs until it
// returns or stops at a synchronising operation. Warps run one after the other, each until all its
// lanes have returned or wait for threads of other warps; then the block's barrier is complete if
// every thread that has not returned is there, whichever barrier statement it is. If it is not, no
// thread can ever go on, and the block is stuck.
#ifndef CUFRT_HOST_BLOCK_RUN_H
#define CUFRT_HOST_BLOCK_RUN_H

#include "host/debugged_blocks.h"
#include "host/grid.h"
#include "host/shared_checks.h"
#include "host/warp_operations.h"

#include <cstdio>
#include <memory>
#include <vector>

namespace cufrt::host {

enum class Progress { finished, waitsForCluster, waitsForGrid, stuck };

// Aligned so that the cores' blocks share no cache line.
class alignas(128) BlockRun {
public:
  // Takes memory for a block of this grid; memory of an earlier grid is used again if it suffices.
  void prepare(const Grid &grid);

  // Puts all threads of a block at their start.
  void start(const Grid &grid, int64_t blockNumber);

  // Runs the threads as far as they go.
  Progress run(const Grid &grid);

  // Lets the threads that wait for the grid or the cluster go on; `run` continues them.
  void releaseGridBarrier();
  void releaseClusterBarrier();

  // Says where the shared memory of the cluster's blocks is; after `start`.
  void joinCluster(void *const *clusterShared) { block.cluster_shared = clusterShared; }

  const cufrt_block &position() const { return block; }

  // No block is under way here any more.
  void leave() { debugged.leave(); }

  // Says on stderr where the threads of a stuck block wait.
  void reportStuck(const Grid &grid) const;

private:
  using Warp = cufrt_warp_lanes;

  LaneFrames framesOf(size_t warp) const;
  void runWarp(const Grid &grid, size_t warp);
  void resumeLanes(const Grid &grid, Warp &warp, size_t number);
  void completeBarrier();
  void reduceBarrier();
  void reportGroup(const Grid &grid, uint32_t Warp::*lanes, std::FILE *out) const;

  cufrt_block block{};
  AlignedMemory shared;
  AlignedMemory frames;
  size_t frameStride = 0;
  bool barrierReduces = false; // some thread's barrier wants a result
  std::vector<Warp> warps;
  DebuggedBlock debugged;
  std::unique_ptr<SharedChecks> checks; // of a kernel compiled with them
};

} // namespace cufrt::host
#endif // CUFRT_HOST_BLOCK_RUN_H
