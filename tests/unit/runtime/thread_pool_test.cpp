// The pool hands out every item once, call after call.
#include "host/thread_pool.h"

#include <atomic>
#include <gtest/gtest.h>
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

} // namespace
