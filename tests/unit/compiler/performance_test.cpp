// The static estimate of what bounds a kernel, on counts made up here.
#include "occupancy/performance.h"
#include <gtest/gtest.h>

namespace cufc {
namespace {

std::optional<Performance> estimate(const WorkCounts &work, std::int64_t threads = 0) {
  const GpuLimits &gpu = *findLimits(90);
  return performanceOf(work, gpu, *findChip("h200"), occupancyOf(gpu, {32, 0, 0}, 256), threads);
}

TEST(Performance, CopiesWaitForMemory) {
  std::optional<Performance> found = estimate({true, 8, 4, 1, 0});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->bound, Bound::Memory);
  EXPECT_DOUBLE_EQ(found->intensity, 1.0 / 8);
  EXPECT_LT(found->share, 0.1);
}

TEST(Performance, MuchArithmeticComputes) {
  EXPECT_EQ(estimate({true, 8, 4, 2000, 0})->bound, Bound::Compute);
  // Double precision has half the rate on that GPU.
  EXPECT_LT(estimate({true, 8, 4, 0, 100})->ridge, estimate({true, 8, 4, 100, 0})->ridge);
}

TEST(Performance, FewLoadsUnderWayAreLatency) {
  EXPECT_EQ(estimate({true, 32, 1, 1, 0})->bound, Bound::Memory);
  const GpuLimits &gpu = *findLimits(90);
  Occupancy low = occupancyOf(gpu, {255, 0, 0}, 32);
  EXPECT_EQ(performanceOf({true, 4, 4, 1, 0}, gpu, *findChip("h200"), low, 0)->bound,
            Bound::Latency);
}

TEST(Performance, SmallGridsAreLatency) {
  EXPECT_EQ(estimate({true, 8, 4, 1, 0}, 256)->bound, Bound::Latency);
  EXPECT_EQ(estimate({true, 8, 4, 1, 0}, 1 << 24)->bound, Bound::Memory);
  EXPECT_EQ(estimate({true, 8, 0, 2000, 0}, 64)->bound, Bound::Latency);
}

TEST(Performance, SaysNothingWhereNothingIsKnown) {
  EXPECT_FALSE(estimate({false, 8, 4, 1, 0}));
  EXPECT_FALSE(estimate({true, 0, 0, 0, 0}));
}

} // namespace
} // namespace cufc
