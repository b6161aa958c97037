// Threads that run the blocks of a grid, one pool for the process.
//
// The calling thread works too. Items are handed out in runs from counters, so cores that get cheap
// blocks take more of them. With one counter items start in order. With one for each thread, which
// begins with its own part and then takes from those of others, a core gets neighbours, and the
// same items in each call, whose data may be in its cache. One caller at a time: the launch holds a
// lock around `forEach`. A thread without work looks for the next call for some microseconds before
// it sleeps: kernels often follow each other, and to wake a thread takes longer than a small
// kernel. Threads are never joined; at exit they are asleep.
//
// What a thread needs of a call is in one line of the cache, and what each says of itself is in its
// own: a line that all of sixteen cores write takes longer than a small kernel.
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
  static constexpr size_t lineBytes = 64; // of the cache

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

  // Whether all its threads look for work, so that a call of few microseconds is worth while.
  bool isAwake() const { return started && sleepers.load(std::memory_order_relaxed) == 0; }

  enum class Order { FromFirst, ByThread };

  // Runs of items that each thread gets on average: enough to even out, few enough to be cheap.
  static constexpr int64_t mostRuns = 16;

  // Returns when the body has run for all items from 0 up to `count`, in about `runs` parts for
  // each thread.
  void forEach(int64_t count, Body &body, Order order = Order::FromFirst, int64_t runs = mostRuns);

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
  void divide(int64_t count, Order order, int64_t runs);
  void takeItems(int worker);

  // What the caller writes.
  struct alignas(lineBytes) Call {
    std::atomic<uint64_t> generation{0}; // counts calls of forEach, so that a thread sees a new one
    std::atomic<uint64_t> open{0};       // the generation of the call that can be joined
    // Of the current call; written before `open`.
    Body *body = nullptr;
    int partCount = 0; // of the parts, in use
    int64_t runLength = 1;
  };

  struct alignas(lineBytes) Part {
    std::atomic<int64_t> next{0};
    int64_t end = 0;
  };

  struct alignas(lineBytes) Worker {
    std::atomic<uint64_t> call{0}; // the generation that it works at, or looks whether to; 0: none
  };

  Call call;
  int threads;
  bool started = false;
  bool maySpin;                      // not where threads would take the cores from each other
  std::unique_ptr<Part[]> parts;     // one for each thread
  std::unique_ptr<Worker[]> workers; // those of the pool, and one for the caller, which is not used

  std::mutex mutex; // for sleeping alone
  std::condition_variable wake;
  std::condition_variable idle;
  std::atomic<int> sleepers{0};
  std::atomic<bool> callerSleeps{false};
};

} // namespace cufrt::host
#endif // CUFRT_HOST_THREAD_POOL_H
