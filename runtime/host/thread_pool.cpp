// See thread_pool.h.
#include "host/thread_pool.h"

#include <algorithm>
#include <pthread.h>

namespace cufrt::host {
namespace {

// Runs of items that each thread gets on average: enough to even out, few enough to be cheap.
constexpr int64_t runsPerThread = 16;

} // namespace

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

void ThreadPool::takeItems(int worker) {
  for (;;) {
    int64_t first = nextItem.fetch_add(runLength, std::memory_order_relaxed);
    if (first >= itemCount)
      return;
    body->run(worker, first, std::min(first + runLength, itemCount));
  }
}

void ThreadPool::sleepAndWork(int worker) {
  uint64_t seen = 0;
  std::unique_lock lock(mutex);
  for (;;) {
    wake.wait(lock, [&] { return generation != seen; });
    seen = generation;
    if (!open)
      continue;
    ++running;
    lock.unlock();
    takeItems(worker);
    lock.lock();
    if (--running == 0)
      idle.notify_one();
  }
}

void ThreadPool::forEach(int64_t count, Body &work) {
  if (threads == 1 || count <= 1) {
    work.run(0, 0, count);
    return;
  }
  if (!started)
    startThreads();
  {
    std::lock_guard lock(mutex);
    body = &work;
    itemCount = count;
    runLength = std::max<int64_t>(1, count / (threads * runsPerThread));
    nextItem.store(0, std::memory_order_relaxed);
    open = true;
    ++generation;
  }
  wake.notify_all();
  takeItems(0);
  std::unique_lock lock(mutex);
  open = false;
  idle.wait(lock, [&] { return running == 0; });
}

} // namespace cufrt::host
