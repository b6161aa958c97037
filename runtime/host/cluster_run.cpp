// See cluster_run.h.
#include "host/cluster_run.h"

namespace cufrt::host {
namespace {

// The number in the grid of a cluster's block; both count x fastest.
int64_t blockNumber(const Grid &grid, int64_t cluster, int64_t rank) {
  int64_t number = 0, rows = 1;
  for (int d = 0; d < 3; ++d) {
    int64_t size = grid.block.cluster_dim[d], blocks = grid.block.grid_dim[d];
    number += rows * (cluster % (blocks / size) * size + rank % size);
    cluster /= blocks / size;
    rank /= size;
    rows *= blocks;
  }
  return number;
}

} // namespace

void ClusterRun::prepare(const Grid &grid) {
  members = std::vector<Member>(static_cast<size_t>(grid.clusterBlocks));
  for (Member &member : members)
    member.run.prepare(grid);
}

void ClusterRun::start(const Grid &grid, int64_t number) {
  shared.clear();
  for (size_t rank = 0; rank < members.size(); ++rank) {
    members[rank].run.start(grid, blockNumber(grid, number, static_cast<int64_t>(rank)));
    members[rank].progress = Progress::waitsForCluster;
    shared.push_back(members[rank].run.position().shared);
  }
  for (Member &member : members)
    member.run.joinCluster(shared.data());
}

Progress ClusterRun::run(const Grid &grid, Failure &failure) {
  for (;;) {
    for (Member &member : members)
      if (member.progress == Progress::waitsForCluster && !failure.happened())
        member.progress = advance(member.run, grid, failure);
    Progress progress = failure.happened() ? Progress::stuck : whatAllWaitFor();
    if (progress == Progress::stuck)
      failure.reportStuck(members.front().run, grid);
    if (progress != Progress::waitsForCluster)
      return progress;
    releaseClusterBarrier();
  }
}

Progress ClusterRun::advance(BlockRun &block, const Grid &grid, Failure &failure) {
  Progress progress = Progress::stuck;
  auto runBlock = [&] { progress = block.run(grid); };
  Fault fault = runGuarded(runBlock);
  if (fault.signal) {
    failure.reportFault(fault, grid, block.position());
    return Progress::stuck;
  }
  if (progress == Progress::stuck)
    failure.reportStuck(block, grid);
  return progress;
}

// Blocks that have ended are not waited for.
Progress ClusterRun::whatAllWaitFor() const {
  Progress all = Progress::finished;
  for (const Member &member : members) {
    if (member.progress == Progress::finished)
      continue;
    if (all != Progress::finished && all != member.progress)
      return Progress::stuck;
    all = member.progress;
  }
  return all;
}

void ClusterRun::releaseClusterBarrier() {
  for (Member &member : members)
    if (member.progress == Progress::waitsForCluster)
      member.run.releaseClusterBarrier();
}

void ClusterRun::releaseGridBarrier() {
  for (Member &member : members)
    if (member.progress == Progress::waitsForGrid) {
      member.run.releaseGridBarrier();
      member.progress = Progress::waitsForCluster;
    }
}

} // namespace cufrt::host
