// See thread_pool.h.
#include "host/thread_pool.h"

#include <algorithm>
#include <chrono>
#include <pthread.h>
#include <thread>

namespace cufrt::host {
namespace {

// Runs of items that each thread gets on average: enough to even out, few enough to be cheap.
constexpr int64_t runsPerThread = 16;

// The thread that stores loads then what others stored before they load this, and one of two sees
// the other's. A plain store does not order that under qemu for aarch64 (stlr, then ldar).
template <typename Value>
void storeBeforeLoads(std::atomic<Value> &place, Value value) {
  place.exchange(value);
}

// About what it takes to wake a thread that sleeps.
using Clock = std::chrono::steady_clock;
constexpr Clock::duration spinTime = std::chrono::microseconds(20);
constexpr int looksPerTime = 16; // reading the clock takes as long as many looks

// Tells the processor that the loop around it waits.
void pause() {
#if defined(__aarch64__)
  __asm__ volatile("isb"); // yield returns at once on processors without threads that share a core
#else
  __builtin_ia32_pause();
#endif
}

// Whether it became true in that time.
template <typename Condition>
bool spinUntil(Condition condition) {
  const Clock::time_point end = Clock::now() + spinTime;
  do
    for (int i = 0; i < looksPerTime; ++i) {
      if (condition())
        return true;
      pause();
    }
  while (Clock::now() < end);
  return false;
}

} // namespace

ThreadPool::ThreadPool(int threads)
    : threads(threads),
      maySpin(static_cast<unsigned>(threads) <= std::thread::hardware_concurrency()),
      parts(new Part[static_cast<size_t>(threads)]) {}

void *ThreadPool::threadMain(void *argument) {
  Start start = *static_cast<Start *>(argument);
  delete static_cast<Start *>(argument);
  start.pool->sleepAndWork(start.worker);
  return nullptr;
}

// Where the system refuses a thread, the pool is as large as it got.
void ThreadPool::startThreads() {
  started = true;
  for (int worker = 1; worker < threads; ++worker) {
    auto *start = new Start{this, worker};
    pthread_t thread;
    if (pthread_create(&thread, nullptr, threadMain, start) != 0) {
      delete start;
      return;
    }
    pthread_detach(thread);
  }
}

void ThreadPool::divide(int64_t count, Order order) {
  partCount = order == Order::ByThread ? threads : 1;
  runLength = std::max<int64_t>(1, count / (threads * runsPerThread));
  for (int i = 0; i < partCount; ++i) {
    Part &part = parts[static_cast<size_t>(i)];
    part.next.store(count * i / partCount, std::memory_order_relaxed);
    part.end = count * (i + 1) / partCount;
  }
}

void ThreadPool::takeItems(int worker) {
  for (int i = 0; i < partCount; ++i) {
    Part &part = parts[static_cast<size_t>((worker + i) % partCount)];
    while (part.next.load(std::memory_order_relaxed) < part.end) {
      int64_t first = part.next.fetch_add(runLength, std::memory_order_relaxed);
      if (first < part.end)
        body->run(worker, first, std::min(first + runLength, part.end));
    }
  }
  body->finish(worker);
}

void ThreadPool::waitForCall(uint64_t seen) {
  auto isCalled = [&] { return generation.load() != seen; };
  if (isCalled() || (maySpin && spinUntil(isCalled)))
    return;
  std::unique_lock lock(mutex);
  ++sleepers; // before it looks again: the caller counts first and then asks who sleeps
  wake.wait(lock, isCalled);
  --sleepers;
}

// Whether a call is open is asked after joining, and who has joined after closing it: one of the
// two sees the other.
void ThreadPool::sleepAndWork(int worker) {
  for (uint64_t seen = 0;;) {
    waitForCall(seen);
    seen = generation.load();
    ++running;
    if (open.load() == seen) // no later one, in which the worker would be twice
      takeItems(worker);
    if (--running == 0 && callerSleeps.load()) {
      std::lock_guard lock(mutex);
      idle.notify_one();
    }
  }
}

void ThreadPool::waitForWorkers() {
  auto isDone = [&] { return running.load() == 0; };
  if (isDone() || (maySpin && spinUntil(isDone)))
    return;
  std::unique_lock lock(mutex);
  storeBeforeLoads(callerSleeps, true); // a worker leaves first and then asks who sleeps
  idle.wait(lock, isDone);
  callerSleeps = false;
}

void ThreadPool::forEach(int64_t count, Body &work, Order order) {
  if (threads == 1 || count <= 1)
    return forEachAlone(count, work);
  if (!started)
    startThreads();
  body = &work;
  divide(count, order);
  open = generation + 1;
  ++generation;
  if (sleepers.load() > 0) {
    {
      std::lock_guard lock(mutex);
    } // who counts itself as a sleeper sleeps by now, or sees the call
    wake.notify_all();
  }
  takeItems(0);
  storeBeforeLoads<uint64_t>(open, 0);
  waitForWorkers();
}

} // namespace cufrt::host
