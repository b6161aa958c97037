// Launches: limits, error codes, flang's entry points, and kernels without synchronisation.
#include "kernels.h"

#include <atomic>
#include <gtest/gtest.h>
#include <thread>
#include <vector>

using namespace cufrt;

extern "C" void _FortranACUFLaunchKernel(const void *, intptr_t, intptr_t, intptr_t, intptr_t,
                                         intptr_t, intptr_t, int64_t *, int32_t, void **, void **);
extern "C" void _FortranACUFLaunchClusterKernel(const void *, intptr_t, intptr_t, intptr_t,
                                                intptr_t, intptr_t, intptr_t, intptr_t, intptr_t,
                                                intptr_t, int64_t *, int32_t, void **, void **);

namespace {

void scale(const cufrt_block *block, void **arguments) {
  float *data = *static_cast<float **>(arguments[0]);
  int64_t n = **static_cast<int64_t **>(arguments[1]);
  for (int32_t x = 0; x < block->block_dim[0]; ++x) {
    int64_t i = static_cast<int64_t>(block->block_index[0]) * block->block_dim[0] + x;
    if (i < n)
      data[i] *= 2;
  }
}

void nothing(const cufrt_block *, void **) {}

Error launchOf(const Kernel &kernel, Kernel::Dimensions grid, Kernel::Dimensions block,
               size_t sharedBytes = 0) {
  Error error = kernel.launch(grid, block, {}, sharedBytes);
  EXPECT_EQ(api().cudaPeekAtLastError(), error);
  EXPECT_EQ(api().cudaGetLastError(), error);
  EXPECT_EQ(api().cudaGetLastError(), success);
  return error;
}

TEST(Launch, RunsAllBlocks) {
  Kernel kernel(scale);
  int64_t n = 1000003;
  std::vector<float> data(static_cast<size_t>(n), 1.5f);
  ASSERT_EQ(kernel.launch({(n + 255) / 256, 1, 1}, {256, 1, 1}, {data.data(), &n}), success);
  EXPECT_EQ(data, std::vector<float>(static_cast<size_t>(n), 3.0f));
}

TEST(Launch, ChecksTheConfiguration) {
  Kernel kernel(nothing);
  EXPECT_EQ(launchOf(kernel, {1, 1, 1}, {1024, 1, 1}), success);
  EXPECT_EQ(launchOf(kernel, {1, 1, 1}, {16, 1, 64}), success);
  EXPECT_EQ(launchOf(kernel, {1, 65535, 1}, {1, 1, 1}), success);
  EXPECT_EQ(launchOf(kernel, {1, 1, 1}, {1025, 1, 1}), errorInvalidConfiguration);
  EXPECT_EQ(launchOf(kernel, {1, 1, 1}, {32, 33, 1}), errorInvalidConfiguration);
  EXPECT_EQ(launchOf(kernel, {1, 1, 1}, {1, 1, 65}), errorInvalidConfiguration);
  EXPECT_EQ(launchOf(kernel, {0, 1, 1}, {32, 1, 1}), errorInvalidConfiguration);
  EXPECT_EQ(launchOf(kernel, {1, 1, 1}, {0, 1, 1}), errorInvalidConfiguration);
  EXPECT_EQ(launchOf(kernel, {-5, 1, 1}, {32, 1, 1}), errorInvalidConfiguration);
  EXPECT_EQ(launchOf(kernel, {1, 1, 1}, {-1, 1, 1}), errorInvalidConfiguration);
  EXPECT_EQ(launchOf(kernel, {1, 65536, 1}, {1, 1, 1}), errorInvalidConfiguration);
  EXPECT_EQ(launchOf(kernel, {1ll << 31, 1, 1}, {1, 1, 1}), errorInvalidConfiguration);
  EXPECT_EQ(launchOf(kernel, {1, 1, 1}, {1ll << 62, 4, 1}), errorInvalidConfiguration);
}

TEST(Launch, BoundsSharedMemory) {
  Kernel kernel(nothing, 1024);
  EXPECT_EQ(launchOf(kernel, {1, 1, 1}, {1, 1, 1}, 47 * 1024), success);
  EXPECT_EQ(launchOf(kernel, {1, 1, 1}, {1, 1, 1}, 47 * 1024 + 1), errorInvalidValue);
  EXPECT_EQ(launchOf(kernel, {1, 1, 1}, {1, 1, 1}, SIZE_MAX), errorInvalidValue);
}

TEST(Launch, HonoursLaunchBounds) {
  Kernel kernel(nothing, 0, 128);
  EXPECT_EQ(launchOf(kernel, {1, 1, 1}, {128, 1, 1}), success);
  EXPECT_EQ(launchOf(kernel, {1, 1, 1}, {129, 1, 1}), errorLaunchOutOfResources);
}

TEST(Launch, UnknownKernelsAndMissingCode) {
  Launch launch{};
  launch.stub = &launch;
  EXPECT_EQ(api().launch(launch), errorInvalidDeviceFunction);
  EXPECT_EQ(api().cudaGetLastError(), errorInvalidDeviceFunction);
  testing::internal::CaptureStderr();
  EXPECT_EQ(launchOf(Kernel::withoutHostCode(), {1, 1, 1}, {1, 1, 1}), errorInvalidDeviceFunction);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("test_kernel has no code for the CPU"),
            std::string::npos);
}

void recordShape(const cufrt_block *block, void **arguments) {
  **static_cast<cufrt_block **>(arguments[0]) = *block;
}

TEST(Launch, SharedMemoryIsAligned) {
  Kernel kernel(recordShape, 100);
  cufrt_block seen{};
  ASSERT_EQ(kernel.launch({1, 1, 1}, {8, 2, 1}, {&seen}, 60), success);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(seen.shared) % 128, 0u);
  EXPECT_EQ(seen.dynamic_shared_bytes, 60);
  EXPECT_EQ(seen.block_dim[1], 2);
}

TEST(Launch, StarGivesAResidentGrid) {
  Kernel kernel(recordShape);
  cufrt_block seen{};
  ASSERT_EQ(kernel.launch({-1, 1, 1}, {256, 1, 1}, {&seen}), success);
  EXPECT_EQ(seen.grid_dim[0], 4 * 8); // 4 host threads, 2048 / 256 blocks on each
}

TEST(Launch, ThroughFlangsEntryPoints) {
  Kernel kernel(recordShape);
  cufrt_block seen{};
  cufrt_block *pointer = &seen;
  void *arguments[] = {&pointer};
  int64_t stream = 0;
  _FortranACUFLaunchKernel(kernel.stub(), 1, 1, 1, 2, 3, 4, &stream, 8, arguments, nullptr);
  EXPECT_EQ(api().cudaGetLastError(), success);
  EXPECT_EQ(seen.block_dim[2], 4);
  EXPECT_EQ(seen.dynamic_shared_bytes, 8);
  _FortranACUFLaunchKernel(kernel.stub(), 1, 1, 1, 2, 3, 4, nullptr, -8, arguments, nullptr);
  EXPECT_EQ(api().cudaGetLastError(), errorInvalidValue);
  stream = 12345;
  _FortranACUFLaunchKernel(kernel.stub(), 1, 1, 1, 2, 3, 4, &stream, 0, arguments, nullptr);
  EXPECT_EQ(api().cudaGetLastError(), errorInvalidResourceHandle);
  _FortranACUFLaunchClusterKernel(kernel.stub(), 1, 1, 1, 1, 1, 1, 32, 1, 1, nullptr, 0, arguments,
                                  nullptr);
  EXPECT_EQ(api().cudaGetLastError(), success);
  EXPECT_EQ(seen.cluster_dim[0], 1);
  _FortranACUFLaunchClusterKernel(kernel.stub(), 2, 1, 1, 3, 1, 1, 32, 1, 1, nullptr, 0, arguments,
                                  nullptr);
  EXPECT_EQ(api().cudaGetLastError(), errorInvalidConfiguration); // no whole number of clusters
}

TEST(Launch, ErrorsBelongToTheirThread) {
  Kernel kernel(nothing);
  std::thread([&] {
    kernel.launch({0, 1, 1}, {1, 1, 1}, {});
    EXPECT_EQ(api().cudaPeekAtLastError(), errorInvalidConfiguration);
  }).join();
  EXPECT_EQ(api().cudaGetLastError(), success);
}

TEST(Launch, SeveralHostThreadsMayLaunch) {
  Kernel kernel(scale);
  int64_t n = 100000;
  std::vector<std::vector<float>> data(4, std::vector<float>(static_cast<size_t>(n), 1.0f));
  std::vector<std::thread> threads;
  for (auto &mine : data)
    threads.emplace_back([&] {
      for (int i = 0; i < 10; ++i)
        kernel.launch({(n + 127) / 128, 1, 1}, {128, 1, 1}, {mine.data(), &n});
    });
  for (auto &thread : threads)
    thread.join();
  for (auto &mine : data)
    EXPECT_EQ(mine, std::vector<float>(static_cast<size_t>(n), 1024.0f));
}

} // namespace
