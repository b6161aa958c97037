// See thread_pool.h.
#include "host/thread_pool.h"

#include <algorithm>
#include <chrono>
#include <pthread.h>
#include <thread>

namespace cufrt::host {
namespace {

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
      parts(new Part[static_cast<size_t>(threads)]),
      workers(new Worker[static_cast<size_t>(threads)]) {}

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

void ThreadPool::divide(int64_t count, Order order, int64_t runs) {
  call.partCount = order == Order::ByThread ? threads : 1;
  call.runLength = std::max<int64_t>(1, (count + threads * runs - 1) / (threads * runs));
  for (int i = 0; i < call.partCount; ++i) {
    Part &part = parts[static_cast<size_t>(i)];
    part.next.store(count * i / call.partCount, std::memory_order_relaxed);
    part.end = count * (i + 1) / call.partCount;
  }
}

void ThreadPool::takeItems(int worker) {
  for (int i = 0; i < call.partCount; ++i) {
    Part &part = parts[static_cast<size_t>((worker + i) % call.partCount)];
    while (part.next.load(std::memory_order_relaxed) < part.end) {
      int64_t first = part.next.fetch_add(call.runLength, std::memory_order_relaxed);
      if (first < part.end)
        call.body->run(worker, first, std::min(first + call.runLength, part.end));
    }
  }
  call.body->finish(worker);
}

void ThreadPool::waitForCall(uint64_t seen) {
  auto isCalled = [&] { return call.generation.load() != seen; };
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
  std::atomic<uint64_t> &own = workers[static_cast<size_t>(worker)].call;
  for (uint64_t seen = 0;;) {
    waitForCall(seen);
    seen = call.generation.load();
    storeBeforeLoads(own, seen);
    if (call.open.load() == seen) // no later one, in which the worker would be twice
      takeItems(worker);
    storeBeforeLoads<uint64_t>(own, 0);
    if (callerSleeps.load()) {
      std::lock_guard lock(mutex);
      idle.notify_one();
    }
  }
}

void ThreadPool::waitForWorkers() {
  int done = 1; // of the workers, in their order; none of them joins any more
  auto isDone = [&] {
    while (done < threads && workers[static_cast<size_t>(done)].call.load() == 0)
      ++done;
    return done == threads;
  };
  if (isDone() || (maySpin && spinUntil(isDone)))
    return;
  std::unique_lock lock(mutex);
  storeBeforeLoads(callerSleeps, true); // a worker leaves first and then asks who sleeps
  idle.wait(lock, isDone);
  callerSleeps = false;
}

void ThreadPool::forEach(int64_t count, Body &work, Order order, int64_t runs) {
  if (threads == 1 || count <= 1)
    return forEachAlone(count, work);
  if (!started)
    startThreads();
  call.body = &work;
  divide(count, order, runs);
  const uint64_t next = call.generation.load(std::memory_order_relaxed) + 1;
  call.open.store(next, std::memory_order_release);
  call.generation.exchange(next);
  if (sleepers.load() > 0) {
    {
      std::lock_guard lock(mutex);
    } // who counts itself as a sleeper sleeps by now, or sees the call
    wake.notify_all();
  }
  takeItems(0);
  storeBeforeLoads<uint64_t>(call.open, 0);
  waitForWorkers();
}

} // namespace cufrt::host
