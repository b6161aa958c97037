// The pool hands out every item once, call after call.
#include "host/thread_pool.h"

#include <atomic>
#include <chrono>
#include <gtest/gtest.h>
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
  std::vector<std::atomic<int>> visits;
};

TEST(ThreadPool, VisitsEachItemOnce) {
  for (int threads : {1, 2, 7}) {
    // Its threads live as long as the process.
    static auto *pools = new std::vector<ThreadPool *>;
    ThreadPool *pool = pools->emplace_back(new ThreadPool(threads));
    for (int round = 0; round < 200; ++round)
      for (size_t items : {0u, 1u, 2u, 63u, 1000u}) {
        Counter counter(items);
        pool->forEach(static_cast<int64_t>(items), counter);
        for (auto &visits : counter.visits)
          ASSERT_EQ(visits.load(), 1);
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

TEST(ThreadPool, ThreadsWorkAtTheSameTime) {
  static auto *pool = new ThreadPool(4);
  Meeting meeting(4);
  pool->forEach(4, meeting);
  EXPECT_EQ(meeting.present, 4);
}

} // namespace
