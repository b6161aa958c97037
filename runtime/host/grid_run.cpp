// See grid_run.h. Each thread of the pool has memory for one block, which it uses for one block
// after the other. The blocks of a cooperative grid have memory each, and run in rounds that end
// when every block has returned or waits for the grid.
#include "host/grid_run.h"
#include "core/settings.h"
#include "host/block_run.h"
#include "host/fault.h"
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

// What went wrong first in a grid; only that is reported.
class Failure {
public:
  bool happened() const { return first.load(std::memory_order_relaxed) != success; }

  void reportStuck(const BlockRun &block, const Grid &grid) {
    if (isFirst(errorLaunchFailure))
      block.reportStuck(grid);
  }

  void reportFault(const Fault &fault, const Grid &grid, const cufrt_block &block) {
    if (isFirst(errorOf(fault)))
      host::reportFault(fault, *grid.kernel, block);
  }

  Error error() const { return first.load(std::memory_order_relaxed); }

private:
  bool isFirst(Error error) {
    Error none = success;
    return first.compare_exchange_strong(none, error);
  }

  std::atomic<Error> first{success};
};

class PlainBlocks : public ThreadPool::Body {
public:
  PlainBlocks(const Grid &grid, std::vector<AlignedMemory> &shared, Failure &failure)
      : grid(grid), shared(shared), failure(failure) {}

  void run(int worker, int64_t first, int64_t last) override {
    AlignedMemory &memory = shared[static_cast<size_t>(worker)];
    memory.reserve(grid.sharedBytes);
    cufrt_block block{};
    auto runBlocks = [&] {
      for (int64_t number = first; number < last && !failure.happened(); ++number) {
        block = blockOf(grid, number);
        block.shared = memory.get();
        grid.kernel->run_block(&block, grid.arguments);
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

// The blocks of one cluster after the other, each cluster on one core: its blocks take turns and
// stop at the cluster's barrier until all that have not ended are there.
class Clusters : public ThreadPool::Body {
public:
  Clusters(const Grid &grid, int workers, Failure &failure) : grid(grid), failure(failure) {
    for (int i = 0; i < workers; ++i)
      blocks.emplace_back(static_cast<size_t>(grid.clusterBlocks));
  }

  void run(int worker, int64_t first, int64_t last) override {
    std::vector<BlockRun> &cluster = blocks[static_cast<size_t>(worker)];
    for (BlockRun &block : cluster)
      block.prepare(grid);
    for (int64_t number = first; number < last && !failure.happened(); ++number)
      runCluster(cluster, number);
  }

private:
  void runCluster(std::vector<BlockRun> &cluster, int64_t number) {
    std::vector<void *> shared;
    for (size_t rank = 0; rank < cluster.size(); ++rank) {
      cluster[rank].start(grid, blockNumber(number, static_cast<int64_t>(rank)));
      shared.push_back(cluster[rank].position().shared);
    }
    std::vector<BlockRun *> running;
    for (BlockRun &block : cluster) {
      block.joinCluster(shared.data());
      running.push_back(&block);
    }
    while (!running.empty() && !failure.happened()) {
      std::vector<BlockRun *> waiting;
      for (BlockRun *block : running)
        if (advance(*block))
          waiting.push_back(block);
      for (BlockRun *block : waiting)
        block->releaseClusterBarrier();
      running = std::move(waiting);
    }
  }

  // Whether the block now waits for the others.
  bool advance(BlockRun &block) {
    Progress progress = Progress::stuck;
    auto runBlock = [&] { progress = block.run(grid); };
    Fault fault = runGuarded(runBlock);
    if (fault.signal)
      failure.reportFault(fault, grid, block.position());
    else if (progress != Progress::finished && progress != Progress::waitsForCluster)
      failure.reportStuck(block, grid);
    return progress == Progress::waitsForCluster && !fault.signal;
  }

  // The number in the grid of a cluster's block; both count x fastest.
  int64_t blockNumber(int64_t cluster, int64_t rank) const {
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

  const Grid &grid;
  Failure &failure;
  std::vector<std::vector<BlockRun>> blocks;
};

// One round of a cooperative grid.
class CooperativeBlocks : public ThreadPool::Body {
public:
  CooperativeBlocks(const Grid &grid, Failure &failure)
      : grid(grid), failure(failure), blocks(static_cast<size_t>(grid.blocks)),
        finished(static_cast<size_t>(grid.blocks)) {
    for (size_t i = 0; i < blocks.size(); ++i) {
      blocks[i].prepare(grid);
      blocks[i].start(grid, static_cast<int64_t>(i));
    }
  }

  void run(int, int64_t first, int64_t last) override {
    for (auto i = static_cast<size_t>(first); i < static_cast<size_t>(last); ++i)
      if (!finished[i] && !failure.happened())
        advance(i);
  }

  // Whether another round is to run, for which the barrier is then open.
  bool release() {
    bool someWait = false;
    for (size_t i = 0; i < blocks.size(); ++i) {
      blocks[i].releaseGridBarrier();
      someWait |= !finished[i];
    }
    return someWait && !failure.happened();
  }

private:
  void advance(size_t i) {
    Progress progress = Progress::stuck;
    auto runBlock = [&] { progress = runAlone(blocks[i], grid); };
    Fault fault = runGuarded(runBlock);
    if (fault.signal)
      return failure.reportFault(fault, grid, blocks[i].position());
    finished[i] = progress == Progress::finished;
    if (progress == Progress::stuck)
      failure.reportStuck(blocks[i], grid);
  }

  const Grid &grid;
  Failure &failure;
  std::vector<BlockRun> blocks;
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
  CooperativeBlocks blocks(grid, failure);
  do
    host.pool.forEach(grid.blocks, blocks);
  while (blocks.release());
  return failure.error();
}

void waitForGrids() { std::lock_guard lock(machine().mutex); }

} // namespace cufrt::host
