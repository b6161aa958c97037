// See grid_run.h. Each thread of the pool has memory for one block, which it uses for one block
// after the other, or for those of a cluster. The blocks of a cooperative grid have memory each,
// and run in rounds that end when every block has returned or waits for the grid.
#include "host/grid_run.h"
#include "core/settings.h"
#include "host/arena.h"
#include "host/cluster_run.h"
#include "host/gathered_updates.h"
#include "host/global_checks.h"
#include "host/own_sums.h"
#include "host/thread_pool.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <deque>
#include <map>
#include <memory>
#include <mutex>

namespace cufrt::host {
namespace {

using Clock = std::chrono::steady_clock;

// Kernels that take less than this on one core run on the calling thread: as long as it takes to
// hand them out, where threads look for work, or to wake threads.
constexpr double nanosecondsForPool = 2500, nanosecondsForSleepers = 8000;

// The pool and the memory of its threads. One launch uses it at a time.
struct Machine {
  std::mutex mutex;
  ThreadPool pool{settings().hostThreads};
  std::vector<AlignedMemory> shared{static_cast<size_t>(pool.size())};
  std::vector<AlignedMemory> frames{static_cast<size_t>(pool.size())};
  std::vector<BlockRun> blocks{static_cast<size_t>(pool.size())};
  std::vector<GatheredUpdates> updates{static_cast<size_t>(pool.size())};
  std::vector<OwnSums> sums{static_cast<size_t>(pool.size())};
  std::deque<WaitingBlock> waiting; // as many as a grid of such blocks has had
  // Nanoseconds of one thread as the kernel's last launch had them: what a kernel does cannot be
  // seen before, and the first launch is for the pool. In grids of another size a thread may do
  // more iterations of a loop.
  std::map<std::pair<const cufrt_kernel *, int>, double> costs;
};

Machine &machine() {
  static Machine *instance = new Machine; // threads of the pool may outlive main
  return *instance;
}

// The block `by` after `block`; of a grid without clusters without a division.
void advance(const Grid &grid, cufrt_block &block, int64_t number, int64_t by) {
  if (grid.clusterBlocks == 1 && block.block_index[0] + by < block.grid_dim[0])
    block.block_index[0] += static_cast<int32_t>(by);
  else
    block = blockOf(grid, number);
}

constexpr int64_t mostRowThreads = 1 << 20;

// How many of `count` blocks, from one on, are run together.
int64_t blocksOfRow(const Grid &grid, const cufrt_block &block, int64_t count) {
  const int32_t flags = grid.kernel->flags;
  const bool sharesData = flags & CUFRT_THREADS_LOOP && block.block_dim[1] * block.block_dim[2] > 1;
  if (!(flags & CUFRT_BLOCK_ROWS) || sharesData || grid.clusterBlocks != 1)
    return 1;
  const int64_t most = std::max<int64_t>(1, mostRowThreads / block.block_dim[0]);
  return std::min({count, most, static_cast<int64_t>(block.grid_dim[0]) - block.block_index[0]});
}

// Measures what the calling thread does. All threads read where the work is, and one writes what it
// measures: in one line of the cache, that would go from core to core with each run of items.
class alignas(ThreadPool::lineBytes) Measured : public ThreadPool::Body {
public:
  Measured(ThreadPool::Body &body) : body(body) {}

  void run(int worker, int64_t first, int64_t last) override {
    if (worker == 0) {
      if (items == 0)
        start = Clock::now();
      items += last - first;
    }
    body.run(worker, first, last);
  }

  void finish(int worker) override {
    body.finish(worker);
    if (worker == 0 && items != 0)
      time = Clock::now() - start;
  }

  double nanosecondsOfItem() const {
    return items == 0 ? 0 : std::chrono::duration<double, std::nano>(time).count() / items;
  }

private:
  ThreadPool::Body &body;
  alignas(ThreadPool::lineBytes) Clock::time_point start;
  Clock::duration time{};
  int64_t items = 0;
};

double &costOf(Machine &host, const Grid &grid, int64_t items) {
  return host.costs[{grid.kernel, std::bit_width(static_cast<uint64_t>(items))}];
}

double threadsOf(const Grid &grid) {
  return static_cast<double>(grid.threads) * grid.clusterBlocks;
}

// Of all items on one core, as the kernel's last launch had them; 0: not known.
double nanosecondsOf(Machine &host, const Grid &grid, int64_t items) {
  return costOf(host, grid, items) * threadsOf(grid) * static_cast<double>(items);
}

// `items` are blocks or clusters.
bool isForOneThread(Machine &host, const Grid &grid, int64_t items) {
  if (host.pool.size() == 1 || items <= 1)
    return true;
  const double cost = nanosecondsOf(host, grid, items);
  const double least = host.pool.isAwake() ? nanosecondsForPool : nanosecondsForSleepers;
  return cost != 0 && cost < least;
}

// To begin a run of items takes a tenth of a microsecond.
int64_t runsOf(Machine &host, const Grid &grid, int64_t items) {
  constexpr double nanosecondsOfRun = 1000;
  const double cost = nanosecondsOf(host, grid, items);
  return cost == 0 ? ThreadPool::mostRuns
                   : std::clamp(static_cast<int64_t>(cost / host.pool.size() / nanosecondsOfRun),
                                int64_t{1}, ThreadPool::mostRuns);
}

// All blocks of a grid, on the calling thread if they are to be `alone`.
void runItems(Machine &host, const Grid &grid, int64_t items, bool alone, ThreadPool::Body &body) {
  if (host.pool.size() == 1 || items <= 1)
    return ThreadPool::forEachAlone(items, body);
  Measured measured(body);
  if (alone)
    ThreadPool::forEachAlone(items, measured);
  else
    host.pool.forEach(items, measured,
                      grid.kernel->flags & CUFRT_INDEPENDENT_BLOCKS ? ThreadPool::Order::ByThread
                                                                    : ThreadPool::Order::FromFirst,
                      runsOf(host, grid, items));
  if (double time = measured.nanosecondsOfItem(); time > 0)
    costOf(host, grid, items) = time / threadsOf(grid);
}

// A block that is a cluster of its own waits for no other at the cluster's barrier.
Progress runAlone(BlockRun &block, const Grid &grid) {
  Progress progress = block.run(grid);
  for (; progress == Progress::waitsForCluster; progress = block.run(grid))
    block.releaseClusterBarrier();
  return progress;
}

class alignas(ThreadPool::lineBytes) PlainBlocks : public ThreadPool::Body {
public:
  PlainBlocks(const Grid &grid, Machine &host, bool alone, Failure &failure)
      : grid(grid), host(host), failure(failure) {
    const int workers = alone ? 1 : host.pool.size();
    for (OwnSums &sums : host.sums)
      sums.start(grid, workers);
  }

  void run(int worker, int64_t first, int64_t last) override {
    AlignedMemory &shared = host.shared[static_cast<size_t>(worker)];
    AlignedMemory &frames = host.frames[static_cast<size_t>(worker)];
    shared.reserve(grid.sharedBytes);
    frames.reserve(grid.kernel->frame_bytes * roomForThreads(grid));
    cufrt_gathered *slots = host.updates[static_cast<size_t>(worker)].slots();
    cufrt_sums *sums = host.sums[static_cast<size_t>(worker)].forBlocks();
    cufrt_block block{};
    SharedChecks checks;
    bool isChecked = grid.kernel->flags & CUFRT_CHECKED;
    if (isChecked)
      checks.prepare(grid);
    int64_t number = first, count = 0;
    auto runBlocks = [&](int64_t from, int64_t to, bool inRows) {
      if (isChecked)
        checks.enter();
      block = blockOf(grid, from);
      for (number = from; number < to && !failure.happened(); number += count) {
        if (number > from)
          advance(grid, block, number, count);
        count = inRows ? blocksOfRow(grid, block, to - number) : 1;
        block.row_threads = static_cast<int32_t>(block.block_dim[0] * count);
        block.shared = shared.get();
        block.frames = frames.get();
        block.updates = slots;
        block.sums = sums;
        if (isChecked)
          checks.startBlock(block);
        if (!grid.kernel->fits_block || grid.kernel->fits_block(&block, grid.arguments))
          grid.kernel->run_block(&block, grid.arguments);
        else
          runThreads(host.blocks[static_cast<size_t>(worker)], number);
        if (isChecked)
          checks.endBlock();
      }
    };
    auto run = [&] { runBlocks(first, last, /*inRows=*/true); };
    Fault fault = runGuarded(run);
    if (fault.signal && count > 1) { // in which block of the row
      const cufrt_block start = block;
      auto again = [&, from = number, to = number + count] {
        runBlocks(from, to, /*inRows=*/false);
      };
      if (Fault alone = runGuarded(again); alone.signal)
        fault = alone;
      else
        block = start;
    }
    if (fault.signal)
      failure.reportFault(fault, grid, block);
  }

  void finish(int worker) override {
    GatheredUpdates &updates = host.updates[static_cast<size_t>(worker)];
    auto make = [&] { updates.make(); };
    Fault fault = failure.happened() ? Fault{} : runGuarded(make);
    if (fault.signal)
      failure.reportFault(fault, grid, blockOf(grid, grid.blocks - 1));
    updates.drop();
  }

private:
  // A block that does not fit.
  void runThreads(BlockRun &block, int64_t number) {
    block.prepare(grid);
    block.start(grid, number);
    if (runAlone(block, grid) != Progress::finished)
      failure.reportStuck(block, grid);
    block.leave();
  }

  const Grid &grid;
  Machine &host;
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
        if (runAlone(block, grid) !=
            Progress::finished) // only a cooperative launch can wait for the grid
          failure.reportStuck(block, grid);
      }
    };
    Fault fault = runGuarded(runBlocks);
    block.leave();
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

// One round of a grid whose blocks wait for each other as a whole.
class WaitingBlocks : public ThreadPool::Body {
public:
  WaitingBlocks(const Grid &grid, std::deque<WaitingBlock> &all, Failure &failure)
      : grid(grid), blocks(all), failure(failure) {
    while (static_cast<int64_t>(blocks.size()) < grid.blocks)
      blocks.emplace_back();
    for (int64_t number = 0; number < grid.blocks; ++number)
      at(number).start(grid, number);
  }

  void run(int, int64_t first, int64_t last) override {
    int64_t number = first;
    auto runBlocks = [&] {
      for (; number < last && !failure.happened(); ++number)
        if (!at(number).hasReturned())
          at(number).run();
    };
    Fault fault = runGuarded(runBlocks);
    if (fault.signal)
      failure.reportFault(fault, grid, at(number).position());
  }

  // The first block that waits, if any does and nothing has failed.
  const WaitingBlock *waits() const {
    auto end = blocks.begin() + static_cast<std::ptrdiff_t>(grid.blocks);
    auto found = std::find_if(blocks.begin(), end,
                              [](const WaitingBlock &block) { return !block.hasReturned(); });
    return found == end || failure.happened() ? nullptr : &*found;
  }

private:
  WaitingBlock &at(int64_t number) { return blocks[static_cast<size_t>(number)]; }

  const Grid &grid;
  std::deque<WaitingBlock> &blocks;
  Failure &failure;
};

void runWaitingBlocks(Machine &host, const Grid &grid, bool cooperative, Failure &failure) {
  WaitingBlocks blocks(grid, host.waiting, failure);
  host.pool.forEach(grid.blocks, blocks);
  while (const WaitingBlock *block = blocks.waits()) {
    if (!cooperative)
      return failure.reportStuck(*block, grid);
    host.pool.forEach(grid.blocks, blocks);
  }
}

void beginChecks(const Grid &grid, int hostThreads) {
  bool isChecked = grid.kernel->flags & CUFRT_CHECKED;
  if (isChecked)
    closeAtAnyCost();
  beginGlobalChecks(grid, isChecked, hostThreads == 1 || grid.blocks == 1);
}

} // namespace

Error runGrid(const Grid &grid) {
  Machine &host = machine();
  std::lock_guard lock(host.mutex);
  installFaultHandlers();
  beginChecks(grid, host.pool.size());
  Failure failure;
  if (grid.runsBlocks && grid.kernel->flags & CUFRT_WAITS_FOR_GRID) {
    runWaitingBlocks(host, grid, /*cooperative=*/false, failure);
    return failure.error();
  }
  if (grid.runsBlocks) {
    const bool alone = isForOneThread(host, grid, grid.blocks);
    PlainBlocks blocks(grid, host, alone, failure);
    runItems(host, grid, grid.blocks, alone, blocks);
    Fault fault = failure.happened() ? Fault{} : addUp(host.sums, host.pool);
    if (fault.signal)
      failure.reportFault(fault, grid, blockOf(grid, grid.blocks - 1));
    return failure.error();
  }
  if (grid.clusterBlocks > 1) {
    Clusters clusters(grid, host.pool.size(), failure);
    const int64_t count = grid.blocks / grid.clusterBlocks;
    runItems(host, grid, count, isForOneThread(host, grid, count), clusters);
    return failure.error();
  }
  SynchronisingBlocks blocks(grid, host.blocks, failure);
  runItems(host, grid, grid.blocks, isForOneThread(host, grid, grid.blocks), blocks);
  return failure.error();
}

Error runCooperativeGrid(const Grid &grid) {
  const bool waits = grid.kernel->flags & CUFRT_WAITS_FOR_GRID;
  if (grid.runsBlocks && !waits)
    return runGrid(grid);
  Machine &host = machine();
  std::lock_guard lock(host.mutex);
  installFaultHandlers();
  beginChecks(grid, host.pool.size());
  Failure failure;
  if (grid.runsBlocks) {
    runWaitingBlocks(host, grid, /*cooperative=*/true, failure);
    return failure.error();
  }
  CooperativeClusters clusters(grid, failure);
  do
    host.pool.forEach(clusters.size(), clusters);
  while (clusters.release());
  return failure.error();
}

void waitForGrids() { std::lock_guard lock(machine().mutex); }

} // namespace cufrt::host
