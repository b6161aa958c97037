// Threads that run the blocks of a grid, one pool for the process.
//
// The calling thread works too. Items are handed out in runs from a counter, so cores that get
// cheap blocks take more of them. One caller at a time: the launch holds a lock around `forEach`.
// Threads are never joined; at exit they are asleep.
#ifndef CUFRT_HOST_THREAD_POOL_H
#define CUFRT_HOST_THREAD_POOL_H

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace cufrt::host {

class ThreadPool {
public:
  // What is done with a run of items; called from several threads at the same time.
  class Body {
  public:
    // `worker` is below `size()` and tells the threads of this call apart.
    virtual void run(int worker, int64_t first, int64_t last) = 0;

  protected:
    ~Body() = default;
  };

  explicit ThreadPool(int threads) : threads(threads) {}

  int size() const { return threads; }

  // Returns when the body has run for all items from 0 up to `count`.
  void forEach(int64_t count, Body &body);

private:
  struct Start {
    ThreadPool *pool;
    int worker;
  };

  static void *threadMain(void *start);
  void startThreads();
  void sleepAndWork(int worker);
  void takeItems(int worker);

  int threads;
  bool started = false;

  std::mutex mutex;
  std::condition_variable wake;
  std::condition_variable idle;
  uint64_t generation = 0; // counts calls of forEach, so that a sleeper sees a new one
  bool open = false;       // whether a thread that wakes up may still join
  int running = 0;         // pool threads that have joined

  // Of the current call; written before `open`.
  Body *body = nullptr;
  int64_t itemCount = 0;
  int64_t runLength = 1;
  std::atomic<int64_t> nextItem{0};
};

} // namespace cufrt::host
#endif // CUFRT_HOST_THREAD_POOL_H
