// The CUDA runtime functions of the host device: memory, streams, events, errors, properties.
#include "cufrt/device.h"
#include "cufrt/device_properties.h"

#include <chrono>
#include <cstring>
#include <gtest/gtest.h>
#include <string>
#include <thread>

using namespace cufrt;

namespace {

// The returned error must be the thread's last error too.
Error last(Error returned) {
  EXPECT_EQ(api().cudaGetLastError(), returned);
  return returned;
}

TEST(Memory, AllocatesAlignedAndFreesOnce) {
  void *pointer = nullptr;
  ASSERT_EQ(api().cudaMalloc(&pointer, 1000), success);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(pointer) % 256, 0u);
  EXPECT_EQ(last(api().cudaFree(static_cast<char *>(pointer) + 8)), errorInvalidValue);
  EXPECT_EQ(last(api().cudaFreeHost(pointer)), errorInvalidValue);
  EXPECT_EQ(api().cudaFree(pointer), success);
  EXPECT_EQ(last(api().cudaFree(pointer)), errorInvalidValue);
  EXPECT_EQ(api().cudaFree(nullptr), success);
}

TEST(Memory, IsBoundedByTheMachine) {
  void *pointer = &pointer;
  EXPECT_EQ(last(api().cudaMalloc(&pointer, size_t{1} << 60)), errorMemoryAllocation);
  EXPECT_EQ(pointer, nullptr);
  size_t pitch = 0;
  EXPECT_EQ(last(api().cudaMallocPitch(&pointer, &pitch, size_t{1} << 40, size_t{1} << 40)),
            errorMemoryAllocation);
  size_t free = 0, total = 0;
  EXPECT_EQ(api().cudaMemGetInfo(&free, &total), success);
  EXPECT_LE(free, total);
}

TEST(Memory, PitchedRowsAndCopies) {
  void *pointer = nullptr;
  size_t pitch = 0;
  ASSERT_EQ(api().cudaMallocPitch(&pointer, &pitch, 10, 3), success);
  EXPECT_EQ(pitch % 256, 0u);
  const char rows[] = "0123456789abcdefghijABCDEFGHIJ";
  EXPECT_EQ(api().cudaMemcpy2D(pointer, pitch, rows, 10, 10, 3, hostToDevice), success);
  EXPECT_EQ(api().cudaMemset2D(static_cast<char *>(pointer) + 2, pitch, 'x', 3, 3), success);
  char back[31] = {};
  EXPECT_EQ(api().cudaMemcpy2D(back, 10, pointer, pitch, 10, 3, deviceToHost), success);
  EXPECT_STREQ(back, "01xxx56789abxxxfghijABxxxFGHIJ");
  EXPECT_EQ(last(api().cudaMemcpy2D(back, 9, pointer, pitch, 10, 3, deviceToHost)),
            errorInvalidPitchValue);
  EXPECT_EQ(last(api().cudaMemcpy(back, pointer, 1, 7)), errorInvalidMemcpyDirection);
  EXPECT_EQ(last(api().cudaMemcpy(back, nullptr, 1, copyDefault)), errorInvalidValue);
  EXPECT_EQ(api().cudaMemcpy(nullptr, nullptr, 0, copyDefault), success);
  api().cudaFree(pointer);
}

TEST(Streams, AreHandles) {
  void *stream = nullptr;
  ASSERT_EQ(api().cudaStreamCreate(&stream), success);
  EXPECT_NE(stream, nullptr);
  EXPECT_EQ(api().cudaStreamQuery(stream), success);
  EXPECT_EQ(api().cudaStreamSynchronize(nullptr), success);
  EXPECT_EQ(api().cudaStreamDestroy(stream), success);
  EXPECT_EQ(last(api().cudaStreamSynchronize(stream)), errorInvalidResourceHandle);
  EXPECT_EQ(last(api().cudaStreamDestroy(stream)), errorInvalidResourceHandle);
  EXPECT_EQ(last(api().cudaMemsetAsync(&stream, 0, 1, stream)), errorInvalidResourceHandle);
  EXPECT_EQ(last(api().cudaStreamCreateWithFlags(&stream, 9)), errorInvalidValue);
}

TEST(Events, MeasureTime) {
  void *start = nullptr, *end = nullptr;
  ASSERT_EQ(api().cudaEventCreate(&start), success);
  ASSERT_EQ(api().cudaEventCreate(&end), success);
  float milliseconds = -1;
  EXPECT_EQ(last(api().cudaEventElapsedTime(&milliseconds, start, end)),
            errorInvalidResourceHandle); // not recorded
  EXPECT_EQ(api().cudaEventRecord(start, nullptr), success);
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_EQ(api().cudaEventRecord(end, nullptr), success);
  EXPECT_EQ(api().cudaEventSynchronize(end), success);
  EXPECT_EQ(api().cudaEventElapsedTime(&milliseconds, start, end), success);
  EXPECT_GE(milliseconds, 5.0f);
  EXPECT_EQ(api().cudaEventElapsedTime(&milliseconds, end, start), success);
  EXPECT_LE(milliseconds, -5.0f);
  EXPECT_EQ(api().cudaEventDestroy(start), success);
  EXPECT_EQ(last(api().cudaEventRecord(start, nullptr)), errorInvalidResourceHandle);
  EXPECT_EQ(last(api().cudaStreamWaitEvent(nullptr, start, 0)), errorInvalidResourceHandle);
  void *untimed = nullptr;
  ASSERT_EQ(api().cudaEventCreateWithFlags(&untimed, 2), success);
  EXPECT_EQ(api().cudaEventRecord(untimed, nullptr), success);
  EXPECT_EQ(last(api().cudaEventElapsedTime(&milliseconds, untimed, end)),
            errorInvalidResourceHandle);
}

TEST(Errors, HaveNamesAndTexts) {
  EXPECT_STREQ(api().errorName(0), "cudaSuccess");
  EXPECT_STREQ(api().errorName(9), "cudaErrorInvalidConfiguration");
  EXPECT_STREQ(api().errorName(123456), "unrecognized error code");
  EXPECT_STREQ(api().errorString(0), "no error");
}

TEST(Device, HasOneWithProperties) {
  int value = 0;
  EXPECT_EQ(api().cudaGetDeviceCount(&value), success);
  EXPECT_EQ(value, 1);
  EXPECT_EQ(last(api().cudaSetDevice(1)), errorInvalidDevice);
  EXPECT_EQ(api().cudaSetDevice(0), success);
  DeviceProperties properties;
  EXPECT_EQ(api().getProperties(properties, 0), success);
  EXPECT_EQ(last(api().getProperties(properties, 1)), errorInvalidDevice);
  std::string name(properties.name, sizeof properties.name);
  EXPECT_EQ(name.find("Host CPU: "), 0u);
  EXPECT_EQ(name.back(), ' ');
  EXPECT_EQ(name.find('\0'), std::string::npos);
  EXPECT_EQ(properties.maxThreadsPerBlock, 1024);
  EXPECT_EQ(properties.multiProcessorCount, 4);
  EXPECT_EQ(properties.maxThreadsDim[2], 64);
  EXPECT_EQ(api().cudaDeviceGetAttribute(&value, 10, 0), success); // cudaDevAttrWarpSize
  EXPECT_EQ(value, 32);
  EXPECT_EQ(last(api().cudaDeviceGetAttribute(&value, 9999, 0)), errorInvalidValue);
}

} // namespace
