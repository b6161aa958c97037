// The static estimate of what bounds a kernel, on counts made up here.
#include "occupancy/code_view.h"
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

// A kernel whose loop begins at `start` and goes on while the counter is `condition` than 8.
WorkCounts workOfLoop(const std::string &start, const std::string &condition,
                      const std::string &leave = "") {
  return countWork("k", ".visible .entry k()\n{\n mov.b32 %r1, " + start +
                            ";\n$L__BB0_1:\n add.f32 %f1, %f1, %f2;\n" + leave +
                            " add.s32 %r1, %r1, 2;\n setp." + condition +
                            ".s32 %p1, %r1, 8;\n @%p1 bra $L__BB0_1;\n$L__BB0_2:\n ret;\n}\n");
}

TEST(Performance, CountsRoundsOfConstantLoops) {
  EXPECT_EQ(workOfLoop("0", "ne").singleOperations, 4);
  EXPECT_EQ(workOfLoop("-2", "lt").singleOperations, 5);
  EXPECT_EQ(workOfLoop("0", "le").singleOperations, 5);
  EXPECT_EQ(workOfLoop("100", "lt").singleOperations, 1) << "a loop is passed once at least";
  EXPECT_EQ(workOfLoop("0", "ne").instructions, 1 + 4 * 4 + 1);
}

TEST(Performance, OtherLoopsAreNotCounted) {
  EXPECT_FALSE(workOfLoop("1", "ne").countable) << "it never ends";
  EXPECT_FALSE(workOfLoop("0", "gt").countable);
  EXPECT_FALSE(workOfLoop("%r9", "ne").countable);
  EXPECT_FALSE(workOfLoop("0", "ne", " @%p2 bra $L__BB0_2;\n").countable) << "it can be left";
  EXPECT_FALSE(workOfLoop("0", "ne", " add.s32 %r1, %r1, %r3;\n").countable);
  EXPECT_FALSE(countWork("k", "{\n call.uni f, ();\n}\n").countable);
}

TEST(Performance, WhatAllThreadsReadIsReadOnce) {
  auto bytes = [](const std::string &index) {
    return countWork("k",
                     ".visible .entry k()\n{\n ld.param.b64 %rd1, [k_param_0];\n mov.u32 %r1, " +
                         index +
                         ";\n mul.wide.s32 %rd2, %r1, 4;\n add.s64 %rd3, %rd1, %rd2;\n"
                         " ld.global.b32 %r2, [%rd3];\n ret;\n}\n")
        .globalBytes;
  };
  EXPECT_EQ(bytes("%tid.x"), 4);
  EXPECT_EQ(bytes("%ctaid.x"), 1);
  EXPECT_EQ(bytes("7"), 0);
}

TEST(Performance, KnowsSumsThatAreWrittenAsOr) {
  auto verdict = [](const std::string &other) {
    return viewPtx("k",
                   "{\n mov.u32 %r1, %tid.x;\n mov.u32 %r2, %ctaid.x;\n shl.b32 %r3, %r2, " +
                       other +
                       ";\n or.b32 %r4, %r3, %r1;\n mul.wide.s32 %rd2, %r4, 4;\n"
                       " add.s64 %rd3, %rd1, %rd2;\n ld.global.b32 %r5, [%rd3];\n}\n",
                   "")
        .memory.at(0)
        .verdict;
  };
  EXPECT_TRUE(verdict("10").starts_with("coalesced")) << verdict("10");
  EXPECT_TRUE(verdict("9").starts_with("depends")) << verdict("9");
}

TEST(Performance, FewWarpsCannotComputeMuch) {
  EXPECT_EQ(estimate({true, 8, 4, 1e6, 0}, 1 << 24)->bound, Bound::Compute);
  EXPECT_EQ(estimate({true, 8, 4, 1e6, 0}, 4096)->bound, Bound::Latency);
}

TEST(Performance, SaysWhetherTheGridIsKnown) {
  EXPECT_TRUE(describe(*estimate({true, 8, 4, 1, 0}, 1 << 24)).starts_with("memory. "));
  EXPECT_TRUE(describe(*estimate({true, 8, 4, 1, 0})).starts_with("not known"));
}

} // namespace
} // namespace cufc
