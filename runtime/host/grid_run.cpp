// See grid_run.h. Each thread of the pool has memory for one block, which it uses for one block
// after the other, or for those of a cluster. The blocks of a cooperative grid have memory each,
// and run in rounds that end when every block has returned or waits for the grid.
#include "host/grid_run.h"
#include "core/settings.h"
#include "host/cluster_run.h"
#include "host/thread_pool.h"

#include <memory>
#include <mutex>

namespace cufrt::host {
namespace {

// The pool and the memory of its threads. One launch uses it at a time.
struct Machine {
  std::mutex mutex;
  ThreadPool pool{settings().hostThreads};
  std::vector<AlignedMemory> shared{static_cast<size_t>(pool.size())};
  std::vector<BlockRun> blocks{static_cast<size_t>(pool.size())};
};

Machine &machine() {
  static Machine *instance = new Machine; // threads of the pool may outlive main
  return *instance;
}

class PlainBlocks : public ThreadPool::Body {
public:
  PlainBlocks(const Grid &grid, std::vector<AlignedMemory> &shared, Failure &failure)
      : grid(grid), shared(shared), failure(failure) {}

  void run(int worker, int64_t first, int64_t last) override {
    AlignedMemory &memory = shared[static_cast<size_t>(worker)];
    memory.reserve(grid.sharedBytes);
    cufrt_block block{};
    SharedChecks checks;
    bool isChecked = grid.kernel->flags & CUFRT_CHECKED;
    if (isChecked)
      checks.prepare(grid);
    auto runBlocks = [&] {
      if (isChecked)
        checks.enter();
      for (int64_t number = first; number < last && !failure.happened(); ++number) {
        block = blockOf(grid, number);
        block.shared = memory.get();
        if (isChecked)
          checks.startBlock(block);
        grid.kernel->run_block(&block, grid.arguments);
        if (isChecked)
          checks.endBlock();
      }
    };
    Fault fault = runGuarded(runBlocks);
    if (fault.signal)
      failure.reportFault(fault, grid, block);
  }

private:
  const Grid &grid;
  std::vector<AlignedMemory> &shared;
  Failure &failure;
};

// A block that is a cluster of its own waits for no other at the cluster's barrier.
Progress runAlone(BlockRun &block, const Grid &grid) {
  Progress progress = block.run(grid);
  for (; progress == Progress::waitsForCluster; progress = block.run(grid))
    block.releaseClusterBarrier();
  return progress;
}

class SynchronisingBlocks : public ThreadPool::Body {
public:
  SynchronisingBlocks(const Grid &grid, std::vector<BlockRun> &blocks, Failure &failure)
      : grid(grid), blocks(blocks), failure(failure) {}

  void run(int worker, int64_t first, int64_t last) override {
    BlockRun &block = blocks[static_cast<size_t>(worker)];
    block.prepare(grid);
    auto runBlocks = [&] {
      for (int64_t number = first; number < last && !failure.happened(); ++number) {
        block.start(grid, number);
        if (runAlone(block, grid) !=
            Progress::finished) // only a cooperative launch can wait for the grid
          failure.reportStuck(block, grid);
      }
    };
    Fault fault = runGuarded(runBlocks);
    if (fault.signal)
      failure.reportFault(fault, grid, block.position());
  }

private:
  const Grid &grid;
  std::vector<BlockRun> &blocks;
  Failure &failure;
};

// One cluster after the other.
class Clusters : public ThreadPool::Body {
public:
  Clusters(const Grid &grid, int workers, Failure &failure)
      : grid(grid), failure(failure), clusters(static_cast<size_t>(workers)) {}

  void run(int worker, int64_t first, int64_t last) override {
    ClusterRun &cluster = clusters[static_cast<size_t>(worker)];
    cluster.prepare(grid);
    for (int64_t number = first; number < last && !failure.happened(); ++number) {
      cluster.start(grid, number);
      if (cluster.run(grid, failure) == Progress::waitsForGrid) // only a cooperative launch can
        failure.reportStuck(cluster.firstBlock(), grid);
    }
  }

private:
  const Grid &grid;
  Failure &failure;
  std::vector<ClusterRun> clusters;
};

// One round of a cooperative grid.
class CooperativeClusters : public ThreadPool::Body {
public:
  CooperativeClusters(const Grid &grid, Failure &failure)
      : grid(grid), failure(failure),
        clusters(static_cast<size_t>(grid.blocks / grid.clusterBlocks)), finished(clusters.size()) {
    for (size_t i = 0; i < clusters.size(); ++i) {
      clusters[i].prepare(grid);
      clusters[i].start(grid, static_cast<int64_t>(i));
    }
  }

  int64_t size() const { return static_cast<int64_t>(clusters.size()); }

  void run(int, int64_t first, int64_t last) override {
    for (auto i = static_cast<size_t>(first); i < static_cast<size_t>(last); ++i)
      if (!finished[i] && !failure.happened())
        finished[i] = clusters[i].run(grid, failure) == Progress::finished;
  }

  // Whether another round is to run, for which the barrier is then open.
  bool release() {
    bool someWait = false;
    for (size_t i = 0; i < clusters.size(); ++i) {
      clusters[i].releaseGridBarrier();
      someWait |= !finished[i];
    }
    return someWait && !failure.happened();
  }

private:
  const Grid &grid;
  Failure &failure;
  std::vector<ClusterRun> clusters;
  std::vector<char> finished; // not bool: written by several threads
};

} // namespace

Error runGrid(const Grid &grid) {
  Machine &host = machine();
  std::lock_guard lock(host.mutex);
  installFaultHandlers();
  Failure failure;
  if (grid.kernel->run_block) {
    PlainBlocks blocks(grid, host.shared, failure);
    host.pool.forEach(grid.blocks, blocks);
    return failure.error();
  }
  if (grid.clusterBlocks > 1) {
    Clusters clusters(grid, host.pool.size(), failure);
    host.pool.forEach(grid.blocks / grid.clusterBlocks, clusters);
    return failure.error();
  }
  SynchronisingBlocks blocks(grid, host.blocks, failure);
  host.pool.forEach(grid.blocks, blocks);
  return failure.error();
}

Error runCooperativeGrid(const Grid &grid) {
  if (grid.kernel->run_block)
    return runGrid(grid);
  Machine &host = machine();
  std::lock_guard lock(host.mutex);
  installFaultHandlers();
  Failure failure;
  CooperativeClusters clusters(grid, failure);
  do
    host.pool.forEach(clusters.size(), clusters);
  while (clusters.release());
  return failure.error();
}

void waitForGrids() { std::lock_guard lock(machine().mutex); }

} // namespace cufrt::host
