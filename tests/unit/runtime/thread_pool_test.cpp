// The pool hands out every item once, call after call.
#include "host/thread_pool.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <gtest/gtest.h>
#include <mutex>
#include <thread>
#include <vector>

using cufrt::host::ThreadPool;

namespace {

class Counter : public ThreadPool::Body {
public:
  explicit Counter(size_t items) : visits(items) {}
  void run(int worker, int64_t first, int64_t last) override {
    EXPECT_GE(worker, 0);
    for (int64_t i = first; i < last; ++i)
      ++visits[static_cast<size_t>(i)];
  }
  void finish(int) override { ++finished; }
  std::vector<std::atomic<int>> visits;
  std::atomic<int> finished{0};
};

TEST(ThreadPool, VisitsEachItemOnce) {
  for (int threads : {1, 2, 7}) {
    // Its threads live as long as the process.
    static auto *pools = new std::vector<ThreadPool *>;
    ThreadPool *pool = pools->emplace_back(new ThreadPool(threads));
    for (int round = 0; round < 200; ++round)
      for (ThreadPool::Order order : {ThreadPool::Order::FromFirst, ThreadPool::Order::ByThread})
        for (size_t items : {0u, 1u, 2u, 63u, 1000u}) {
          Counter counter(items);
          pool->forEach(static_cast<int64_t>(items), counter, order);
          for (auto &visits : counter.visits)
            ASSERT_EQ(visits.load(), 1);
          ASSERT_GE(counter.finished.load(), 1);
          ASSERT_LE(counter.finished.load(), threads);
        }
  }
}

// Each item waits until all threads have one, or long enough to see that they never will.
class Meeting : public ThreadPool::Body {
public:
  explicit Meeting(int expected) : expected(expected) {}
  void run(int, int64_t, int64_t) override {
    ++present;
    for (int i = 0; i < 5000 && present < expected; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  const int expected;
  std::atomic<int> present{0};
};

// The first items of runs.
class Starts : public ThreadPool::Body {
public:
  void run(int, int64_t first, int64_t) override {
    std::lock_guard lock(mutex);
    order.push_back(first);
  }
  std::mutex mutex;
  std::vector<int64_t> order;
};

TEST(ThreadPool, StartsInOrderUnlessByThread) {
  static auto *pool = new ThreadPool(4);
  Starts inOrder;
  pool->forEach(1000, inOrder);
  for (int64_t first : inOrder.order)
    EXPECT_EQ(first % 16, 0); // in 16 runs for each thread, of 16 items at most
  Starts byThread;
  pool->forEach(1000, byThread, ThreadPool::Order::ByThread);
  for (int64_t part : {0, 250, 500, 750}) // a run does not reach into the next part
    EXPECT_EQ(std::count(byThread.order.begin(), byThread.order.end(), part), 1);
}

TEST(ThreadPool, ThreadsWorkAtTheSameTime) {
  static auto *pool = new ThreadPool(4);
  Meeting meeting(4);
  pool->forEach(4, meeting);
  EXPECT_EQ(meeting.present, 4);
}

} // namespace
