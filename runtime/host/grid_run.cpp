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

// Whether some block is stuck; only the first is reported.
class Failure {
public:
  bool happened() const { return flag.load(std::memory_order_relaxed); }
  void report(const BlockRun &block, const Grid &grid) {
    if (!flag.exchange(true))
      block.reportStuck(grid);
  }
  Error error() const { return happened() ? errorLaunchFailure : success; }

private:
  std::atomic<bool> flag{false};
};

class PlainBlocks : public ThreadPool::Body {
public:
  PlainBlocks(const Grid &grid, std::vector<AlignedMemory> &shared) : grid(grid), shared(shared) {}

  void run(int worker, int64_t first, int64_t last) override {
    FaultScope scope(*grid.kernel);
    AlignedMemory &memory = shared[static_cast<size_t>(worker)];
    memory.reserve(grid.sharedBytes);
    for (int64_t number = first; number < last; ++number) {
      cufrt_block block = blockOf(grid, number);
      block.shared = memory.get();
      grid.kernel->run_block(&block, grid.arguments);
    }
  }

private:
  const Grid &grid;
  std::vector<AlignedMemory> &shared;
};

class SynchronisingBlocks : public ThreadPool::Body {
public:
  SynchronisingBlocks(const Grid &grid, std::vector<BlockRun> &blocks, Failure &failure)
      : grid(grid), blocks(blocks), failure(failure) {}

  void run(int worker, int64_t first, int64_t last) override {
    FaultScope scope(*grid.kernel);
    BlockRun &block = blocks[static_cast<size_t>(worker)];
    block.prepare(grid);
    for (int64_t number = first; number < last && !failure.happened(); ++number) {
      block.start(grid, number);
      if (block.run(grid) != Progress::finished) // only a cooperative launch can wait for the grid
        failure.report(block, grid);
    }
  }

private:
  const Grid &grid;
  std::vector<BlockRun> &blocks;
  Failure &failure;
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
    FaultScope scope(*grid.kernel);
    for (auto i = static_cast<size_t>(first); i < static_cast<size_t>(last); ++i)
      if (!finished[i])
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
    Progress progress = blocks[i].run(grid);
    finished[i] = progress == Progress::finished;
    if (progress == Progress::stuck)
      failure.report(blocks[i], grid);
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
  if (grid.kernel->run_block) {
    PlainBlocks blocks(grid, host.shared);
    host.pool.forEach(grid.blocks, blocks);
    return success;
  }
  Failure failure;
  SynchronisingBlocks blocks(grid, host.blocks, failure);
  host.pool.forEach(grid.blocks, blocks);
  return failure.error();
}

Error runCooperativeGrid(const Grid &grid) {
  if (grid.kernel->run_block)
    return runGrid(grid);
  Machine &host = machine();
  std::lock_guard lock(host.mutex);
  Failure failure;
  CooperativeBlocks blocks(grid, failure);
  do
    host.pool.forEach(grid.blocks, blocks);
  while (blocks.release());
  return failure.error();
}

} // namespace cufrt::host
