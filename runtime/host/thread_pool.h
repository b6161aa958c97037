// Threads that run the blocks of a grid, one pool for the process.
//
// The calling thread works too. Items are handed out in runs from counters, so cores that get cheap
// blocks take more of them. With one counter items start in order. With one for each thread, which
// begins with its own part and then takes from those of others, a core gets neighbours, and the
// same items in each call, whose data may be in its cache. One caller at a time: the launch holds a
// lock around `forEach`. A thread without work looks for the next call for some microseconds before
// it sleeps: kernels often follow each other, and to wake a thread takes longer than a small
// kernel. Threads are never joined; at exit they are asleep.
#ifndef CUFRT_HOST_THREAD_POOL_H
#define CUFRT_HOST_THREAD_POOL_H

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>

namespace cufrt::host {

class ThreadPool {
public:
  // What is done with a run of items; called from several threads at the same time.
  class Body {
  public:
    // `worker` is below `size()` and tells the threads of this call apart.
    virtual void run(int worker, int64_t first, int64_t last) = 0;

    // When there are no more items for a thread of the call.
    virtual void finish(int /*worker*/) {}

  protected:
    ~Body() = default;
  };

  explicit ThreadPool(int threads);

  int size() const { return threads; }

  enum class Order { FromFirst, ByThread };

  // Returns when the body has run for all items from 0 up to `count`.
  void forEach(int64_t count, Body &body, Order order = Order::FromFirst);

  // The same on the calling thread alone.
  static void forEachAlone(int64_t count, Body &body) {
    body.run(0, 0, count);
    body.finish(0);
  }

private:
  struct Start {
    ThreadPool *pool;
    int worker;
  };

  static void *threadMain(void *start);
  void startThreads();
  void sleepAndWork(int worker);
  void waitForCall(uint64_t seen);
  void waitForWorkers();
  void divide(int64_t count, Order order);
  void takeItems(int worker);

  int threads;
  bool started = false;
  bool maySpin; // not where threads would take the cores from each other

  std::mutex mutex; // for sleeping alone
  std::condition_variable wake;
  std::condition_variable idle;
  std::atomic<uint64_t> generation{0}; // counts calls of forEach, so that a thread sees a new one
  std::atomic<uint64_t> open{0};       // the generation of the call that can be joined
  std::atomic<int> running{0};         // pool threads that have joined, or are looking whether to
  std::atomic<int> sleepers{0};
  std::atomic<bool> callerSleeps{false};

  // Of the current call; written before `open`.
  Body *body = nullptr;
  struct alignas(64) Part {
    std::atomic<int64_t> next{0};
    int64_t end = 0;
  };
  std::unique_ptr<Part[]> parts; // one for each thread
  int partCount = 0;             // of them, in use
  int64_t runLength = 1;
};

} // namespace cufrt::host
#endif // CUFRT_HOST_THREAD_POOL_H
