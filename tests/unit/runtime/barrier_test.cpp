// Barriers of the block and of the grid, and blocks that can never go on.
#include "kernels.h"

#include <gtest/gtest.h>
#include <vector>

using namespace cufrt;

namespace {

template <typename T>
T *argument(void **arguments, int i) {
  return *static_cast<T **>(arguments[i]);
}

// out(i) = in(n + 1 - i), through shared memory.
int32_t reverse(const cufrt_block *block, void **arguments, cufrt_frame *frame, int32_t x, int32_t,
                int32_t) {
  auto *tile = static_cast<int *>(block->shared);
  int *data = argument<int>(arguments, 0) + block->block_index[0] * block->block_dim[0];
  if (frame->state == 0) {
    tile[x] = data[x];
    return stop(frame, 1, CUFRT_BARRIER);
  }
  data[x] = tile[block->block_dim[0] - 1 - x];
  return 0;
}

TEST(Barrier, ReversesBlocksThroughSharedMemory) {
  Kernel kernel(reverse, sizeof(cufrt_frame), 1024 * sizeof(int));
  for (int threads : {1, 31, 32, 33, 256, 1000, 1024}) {
    const int blocks = 50;
    std::vector<int> data(static_cast<size_t>(blocks * threads));
    for (size_t i = 0; i < data.size(); ++i)
      data[i] = static_cast<int>(i);
    ASSERT_EQ(kernel.launch({blocks, 1, 1}, {threads, 1, 1}, {data.data()}), success);
    for (int b = 0; b < blocks; ++b)
      for (int t = 0; t < threads; ++t)
        ASSERT_EQ(data[static_cast<size_t>(b * threads + t)], b * threads + threads - 1 - t);
  }
}

// A tree reduction: the number of barriers depends on the block's size, and half of the threads
// return early.
struct TreeFrame {
  cufrt_frame header;
  int width;
};

int32_t treeSum(const cufrt_block *block, void **arguments, cufrt_frame *header, int32_t x, int32_t,
                int32_t) {
  auto *frame = reinterpret_cast<TreeFrame *>(header);
  auto *tile = static_cast<int *>(block->shared);
  if (header->state == 0) {
    tile[x] = x + 1;
    frame->width = block->block_dim[0] / 2;
    return stop(header, 1, CUFRT_BARRIER);
  }
  if (x >= frame->width) // returns while the others still synchronise
    return 0;
  tile[x] += tile[x + frame->width];
  frame->width /= 2;
  if (frame->width)
    return stop(header, 1, CUFRT_BARRIER);
  if (x == 0)
    argument<int>(arguments, 0)[block->block_index[0]] = tile[0];
  return 0;
}

TEST(Barrier, ThreadsThatReturnedAreNotWaitedFor) {
  Kernel kernel(treeSum, sizeof(TreeFrame));
  std::vector<int> sums(100);
  ASSERT_EQ(kernel.launch({100, 1, 1}, {512, 1, 1}, {sums.data()}, 512 * sizeof(int)), success);
  EXPECT_EQ(sums, std::vector<int>(100, 512 * 513 / 2));
}

// Even and odd threads stop at different barrier statements.
int32_t meetElsewhere(const cufrt_block *, void **arguments, cufrt_frame *frame, int32_t x, int32_t,
                      int32_t) {
  if (frame->state == 0)
    return stop(frame, x % 2 ? 1 : 2, CUFRT_BARRIER);
  argument<int>(arguments, 0)[x] = frame->state;
  return 0;
}

TEST(Barrier, DifferentStatementsMeet) {
  Kernel kernel(meetElsewhere);
  std::vector<int> states(64);
  ASSERT_EQ(kernel.launch({1, 1, 1}, {64, 1, 1}, {states.data()}), success);
  for (size_t i = 0; i < 64; ++i)
    EXPECT_EQ(states[i], i % 2 ? 1 : 2);
}

int32_t vote(const cufrt_block *, void **arguments, cufrt_frame *frame, int32_t x, int32_t,
             int32_t) {
  constexpr cufrt_sync operations[] = {CUFRT_BARRIER_AND, CUFRT_BARRIER_OR, CUFRT_BARRIER_COUNT};
  int *results = argument<int>(arguments, 0);
  int limit = *argument<int>(arguments, 1);
  if (frame->state > 0)
    results[x * 3 + frame->state - 1] = static_cast<int>(frame->result);
  if (frame->state == 3)
    return 0;
  return stop(frame, frame->state + 1, operations[frame->state], x < limit ? 7 : 0);
}

TEST(Barrier, ReducesPredicates) {
  Kernel kernel(vote);
  for (int limit : {0, 1, 40, 69, 70}) {
    std::vector<int> results(70 * 3);
    ASSERT_EQ(kernel.launch({1, 1, 1}, {70, 1, 1}, {results.data(), &limit}), success);
    for (size_t x = 0; x < 70; ++x) {
      EXPECT_EQ(results[x * 3], limit == 70);
      EXPECT_EQ(results[x * 3 + 1], limit > 0);
      EXPECT_EQ(results[x * 3 + 2], limit);
    }
  }
}

int32_t countPositions(const cufrt_block *block, void **arguments, cufrt_frame *frame, int32_t x,
                       int32_t y, int32_t z) {
  if (frame->state == 0)
    return stop(frame, 1, CUFRT_BARRIER);
  const int32_t *index = block->block_index, *grid = block->grid_dim;
  int number = index[0] + grid[0] * (index[1] + grid[1] * index[2]);
  int threads = block->block_dim[0] * block->block_dim[1] * block->block_dim[2];
  ++argument<int>(arguments, 0)[number * threads + linear(block, x, y, z)];
  return 0;
}

TEST(Barrier, RunsEachThreadOfAThreeDimensionalGridOnce) {
  Kernel kernel(countPositions);
  std::vector<int> visits(3 * 4 * 5 * 7 * 3 * 2);
  ASSERT_EQ(kernel.launch({3, 4, 5}, {7, 3, 2}, {visits.data()}), success);
  EXPECT_EQ(visits, std::vector<int>(visits.size(), 1));
}

// Half of the block waits for the block, the other half for its whole warp.
int32_t waitForEachOther(const cufrt_block *, void **, cufrt_frame *frame, int32_t x, int32_t,
                         int32_t) {
  if (frame->state == 1)
    return 0;
  if (x % 32 < 16)
    return stop(frame, 1, CUFRT_BARRIER);
  return stopInWarp(frame, 1, CUFRT_VOTE_ANY, ~0u, 1);
}

TEST(Barrier, DeadlockSpoilsTheDeviceAndIsReported) {
  Kernel kernel(waitForEachOther);
  testing::internal::CaptureStderr();
  EXPECT_EQ(kernel.launch({1, 1, 1}, {64, 1, 1}, {}), success);
  std::string said = testing::internal::GetCapturedStderr();
  EXPECT_NE(said.find("kernel test_kernel cannot go on in block (1,1,1)"), std::string::npos);
  EXPECT_NE(said.find("32 threads wait at a barrier of the block, the first is thread (1,1,1)"),
            std::string::npos);
  EXPECT_NE(said.find("32 threads wait at a vote of the warp, the first is thread (17,1,1) with "
                      "mask 0xffffffff"),
            std::string::npos);
  EXPECT_EQ(api().cudaDeviceSynchronize(), errorLaunchFailure);
  EXPECT_EQ(api().cudaGetLastError(), errorLaunchFailure);
  EXPECT_EQ(api().cudaGetLastError(), errorLaunchFailure); // stays
  EXPECT_EQ(api().cudaDeviceReset(), success);
  EXPECT_EQ(api().cudaGetLastError(), success);
}

// Each block publishes a value, and after the grid's barrier reads its neighbour's.
int32_t readNeighbour(const cufrt_block *block, void **arguments, cufrt_frame *frame, int32_t x,
                      int32_t, int32_t) {
  int *values = argument<int>(arguments, 0), *results = argument<int>(arguments, 1);
  int own = block->block_index[0], next = (own + 1) % block->grid_dim[0];
  auto *tile = static_cast<int *>(block->shared);
  if (frame->state == 0) {
    tile[x] = own * 10;
    return stop(frame, 1, CUFRT_BARRIER);
  }
  if (frame->state == 1) {
    if (x == 0)
      values[own] = tile[block->block_dim[0] - 1];
    return stop(frame, 2, CUFRT_GRID_BARRIER);
  }
  if (x == 0)
    results[own] = values[next] + tile[1];
  return 0;
}

TEST(GridBarrier, BlocksSeeWhatTheOthersWrote) {
  Kernel kernel(readNeighbour, sizeof(cufrt_frame), 64 * sizeof(int));
  std::vector<int> values(20), results(20);
  ASSERT_EQ(kernel.launch({20, 1, 1}, {64, 1, 1}, {values.data(), results.data()}, 0, true),
            success);
  for (int b = 0; b < 20; ++b)
    EXPECT_EQ(results[static_cast<size_t>(b)], (b + 1) % 20 * 10 + b * 10);
}

TEST(GridBarrier, IsADeadlockInAnOrdinaryLaunch) {
  Kernel kernel(readNeighbour, sizeof(cufrt_frame), 64 * sizeof(int));
  std::vector<int> values(20), results(20);
  testing::internal::CaptureStderr();
  kernel.launch({20, 1, 1}, {64, 1, 1}, {values.data(), results.data()});
  EXPECT_NE(testing::internal::GetCapturedStderr().find("barrier of the grid"), std::string::npos);
  EXPECT_EQ(api().cudaGetLastError(), errorLaunchFailure);
  api().cudaDeviceReset();
}

TEST(GridBarrier, RefusesGridsThatCannotBeResident) {
  Kernel kernel(readNeighbour, sizeof(cufrt_frame), 64 * sizeof(int));
  EXPECT_EQ(kernel.launch({100000, 1, 1}, {64, 1, 1}, {}, 0, true), 720);
  EXPECT_EQ(api().cudaGetLastError(), 720);
}

} // namespace
