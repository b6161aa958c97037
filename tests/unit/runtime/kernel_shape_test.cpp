// The launch configuration that the runtime chooses for CUF kernels.
#include "core/kernel_shape.h"
#include "cufrt/kernel_shape.h"

#include <algorithm>
#include <array>
#include <gtest/gtest.h>

namespace {

using Sizes = std::array<int32_t, 6>;
using Trips = std::array<int64_t, 3>;

constexpr Sizes open1{0, 1, 1, 0, 1, 1}, open2{0, 0, 1, 0, 0, 1}, open3{0, 0, 0, 0, 0, 0};

Sizes shapeOn(bool cpu, Sizes given, Trips trips, int loops, int access, int ends) {
  int32_t shape[6];
  int64_t iterations[3];
  std::copy(given.begin(), given.end(), shape);
  std::copy(trips.begin(), trips.end(), iterations);
  cufrt::completeKernelShape(shape, iterations, loops, access, ends, cpu);
  std::copy(std::begin(shape), std::end(shape), given.begin());
  return given;
}

Sizes shapeOf(Sizes given, Trips trips, int32_t loops, int32_t access = CUFRT_ROWS,
              int32_t ends = 0) {
  return shapeOn(/*cpu=*/false, given, trips, loops, access, ends);
}

int64_t threadsOf(const Sizes &shape) { return int64_t{1} * shape[3] * shape[4] * shape[5]; }
int64_t blocksOf(const Sizes &shape) { return int64_t{1} * shape[0] * shape[1] * shape[2]; }

TEST(KernelShape, CoversEveryLoop) {
  for (Trips trips : {Trips{1, 1, 1}, Trips{1000003, 1, 1}, Trips{7, 5000, 1}, Trips{5000, 3, 1},
                      Trips{33, 33, 33}, Trips{2, 2, 70000}, Trips{65536, 65536, 65536}})
    for (int loops = 1; loops <= 3; ++loops)
      for (int access : {CUFRT_ROWS, CUFRT_CROSSED, CUFRT_COLUMNS}) {
        Sizes shape = shapeOf(loops == 1   ? open1
                              : loops == 2 ? open2
                                           : open3,
                              trips, loops, access);
        EXPECT_LE(threadsOf(shape), 256);
        EXPECT_LE(shape[5], 64);
        for (size_t d = 0; d < static_cast<size_t>(loops); ++d)
          EXPECT_GE(int64_t{1} * shape[d] * shape[d + 3], std::min<int64_t>(trips[d], 65535));
      }
}

TEST(KernelShape, PutsWarpsWhereMemoryIsContiguous) {
  Trips plane{4096, 4096, 1};
  EXPECT_EQ(shapeOf(open2, plane, 2), (Sizes{128, 1024, 1, 32, 4, 1}));
  EXPECT_EQ(shapeOf(open2, plane, 2, CUFRT_CROSSED), (Sizes{512, 128, 1, 8, 32, 1}));
  EXPECT_EQ(shapeOf(open2, plane, 2, CUFRT_COLUMNS), (Sizes{4096, 16, 1, 1, 256, 1}));
}

TEST(KernelShape, FitsNarrowLoops) {
  EXPECT_EQ(shapeOf(open2, {4, 1000000, 1}, 2), (Sizes{1, 31250, 1, 4, 32, 1}));
  EXPECT_EQ(shapeOf(open2, {1000000, 3, 1}, 2), (Sizes{31250, 1, 1, 32, 4, 1}));
}

TEST(KernelShape, KeepsWhatIsGiven) {
  EXPECT_EQ(shapeOf({0, 1, 1, 96, 1, 1}, {1000, 1, 1}, 1), (Sizes{11, 1, 1, 96, 1, 1}));
  EXPECT_EQ(shapeOf({5, 0, 1, 0, 2, 1}, {1 << 20, 100, 1}, 2), (Sizes{5, 50, 1, 64, 2, 1}));
}

TEST(KernelShape, ReducesInFewBlocks) {
  Sizes one = shapeOf(open1, {1 << 26, 1, 1}, 1, CUFRT_ROWS, 1);
  EXPECT_LE(blocksOf(one), 1024);
  Sizes two = shapeOf(open2, {8192, 8192, 1}, 2, CUFRT_ROWS, 1);
  EXPECT_LE(blocksOf(two), 1024);
  EXPECT_EQ(shapeOf(open1, {1, 1, 1}, 1, CUFRT_ROWS, 1)[0], 1);
}

TEST(KernelShape, ReducesUnevenIterationsOneAThread) {
  constexpr int ends = CUFRT_COMBINES | CUFRT_UNEVEN;
  EXPECT_EQ(shapeOf({0, 0, 1, 32, 4, 1}, {1024, 512, 1}, 2, CUFRT_ROWS, ends),
            (Sizes{32, 128, 1, 32, 4, 1}));
  const Trips many{1 << 16, 1 << 16, 1};
  EXPECT_EQ(shapeOf(open2, many, 2, CUFRT_ROWS, ends),
            shapeOf(open2, many, 2, CUFRT_ROWS, CUFRT_COMBINES));
}

TEST(KernelShape, KeepsRowsInOneChunkOnCpus) {
  Sizes plane = shapeOn(true, open2, {4096, 4096, 1}, 2, CUFRT_ROWS, false);
  EXPECT_EQ(plane[0], 1);
  EXPECT_GE(plane[1], 32);
  Sizes line = shapeOn(true, open1, {1 << 26, 1, 1}, 1, CUFRT_ROWS, true);
  EXPECT_GE(line[0], 4);
  EXPECT_EQ(shapeOn(true, open1, {3, 1, 1}, 1, CUFRT_ROWS, false)[0], 1);
  EXPECT_EQ(shapeOn(true, {5, 0, 1, 0, 2, 1}, {1 << 20, 100, 1}, 2, CUFRT_ROWS, false)[0], 5);
}

} // namespace
