// The blocks of one cluster on one thread of the pool: they take turns, and stop at the cluster's
// barrier until all that have not ended are there. Each has memory of its own, which the others
// know. A block of a launch without clusters is a cluster of one.
#ifndef CUFRT_HOST_CLUSTER_RUN_H
#define CUFRT_HOST_CLUSTER_RUN_H

#include "host/failure.h"

namespace cufrt::host {

class ClusterRun {
public:
  // Makes memory for the blocks of a grid's clusters.
  void prepare(const Grid &grid);

  // Puts all threads of the cluster with this number, x fastest, at the kernel's start.
  void start(const Grid &grid, int64_t number);

  // Runs the blocks until they have ended or wait for the grid. What goes wrong is in `failure`;
  // the cluster cannot go on then.
  Progress run(const Grid &grid, Failure &failure);

  // Lets the blocks that wait for the grid go on; `run` continues them.
  void releaseGridBarrier();

  const BlockRun &firstBlock() const { return members.front().run; }

private:
  Progress advance(BlockRun &block, const Grid &grid, Failure &failure);
  Progress whatAllWaitFor() const;
  void releaseClusterBarrier();

  struct Member {
    BlockRun run;
    Progress progress; // waitsForCluster also before its start
  };
  std::vector<Member> members;
  std::vector<void *> shared; // memory of the members
};

} // namespace cufrt::host
#endif // CUFRT_HOST_CLUSTER_RUN_H
