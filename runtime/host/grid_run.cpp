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
        if (block.run(grid) !=
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
    auto runBlock = [&] { progress = blocks[i].run(grid); };
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
