// Mistakes with addresses: faults of kernels, copies out of range, freed memory, host code that
// uses device memory.
#include "device_memory.h"
#include "kernels.h"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <gtest/gtest.h>
#include <set>
#include <string>
#include <thread>
#include <vector>

using namespace cufrt;

namespace {

using testing::internal::CaptureStderr;
using testing::internal::GetCapturedStderr;

// Resets the device, so that a test leaves no error behind.
class Faults : public testing::Test {
protected:
  void TearDown() override { EXPECT_EQ(api().cudaDeviceReset(), success); }

  static char *allocate(size_t bytes) {
    void *pointer = nullptr;
    EXPECT_EQ(api().cudaMalloc(&pointer, bytes), success);
    return static_cast<char *>(pointer);
  }

  static Error launch(const Kernel &kernel, void *argument, int64_t blocks = 3) {
    return kernel.launch({blocks, 1, 1}, {32, 1, 1}, {argument});
  }
};

void writeByte(const cufrt_block *, void **arguments) {
  *static_cast<volatile char *>(*static_cast<void **>(arguments[0])) = 1;
}

int32_t writeByteThread(const cufrt_block *block, void **arguments, cufrt_frame *frame, int32_t x,
                        int32_t, int32_t) {
  if (frame->state == 0)
    return stop(frame, 1, CUFRT_BARRIER);
  if (x == 5)
    writeByte(block, arguments);
  return 0;
}

void divideByZero(const cufrt_block *block, void **) {
  volatile int many = block->block_dim[0], zero = block->block_index[1];
  many = many / zero;
}

void trap(const cufrt_block *, void **) { __builtin_trap(); }

// Volatile, so that it neither becomes a loop nor is found to be endless.
volatile int deepest = 1 << 30;
int recurse(int depth) {
  volatile char frame[2000];
  frame[depth % 2000] = static_cast<char>(depth);
  return depth > deepest ? 0 : recurse(depth + 1) + frame[depth % 2000];
}
void useUpTheStack(const cufrt_block *, void **) { recurse(0); }

TEST_F(Faults, AreStickyErrorsOfASuccessfulLaunch) {
  Kernel kernel(writeByte);
  char *array = allocate(1000);
  CaptureStderr();
  EXPECT_EQ(launch(kernel, array + 5000), success);
  std::string message = GetCapturedStderr();
  EXPECT_EQ(api().cudaDeviceSynchronize(), errorIllegalAddress);
  void *other = nullptr;
  EXPECT_EQ(api().cudaMalloc(&other, 8), errorIllegalAddress);
  EXPECT_EQ(api().cudaFree(array), errorIllegalAddress);
  EXPECT_EQ(launch(kernel, array), errorIllegalAddress);
  EXPECT_EQ(api().cudaGetLastError(), errorIllegalAddress);
  int device = 1; // what needs no device still answers, as on a GPU
  EXPECT_EQ(api().cudaGetDevice(&device), success);
  EXPECT_EQ(device, 0);
  EXPECT_EQ(std::count(message.begin(), message.end(), '\n'), 1) << message;
  EXPECT_NE(message.find("kernel test_kernel failed in block ("), std::string::npos) << message;
  EXPECT_NE(message.find("4000 bytes past the end of an array of 1000 bytes"), std::string::npos)
      << message;
}

TEST_F(Faults, ResetStartsAnew) {
  Kernel kernel(writeByte);
  void *stream = nullptr;
  ASSERT_EQ(api().cudaStreamCreate(&stream), success);
  char *array = allocate(1000);
  CaptureStderr();
  launch(kernel, nullptr);
  GetCapturedStderr();
  EXPECT_EQ(api().cudaDeviceReset(), success);
  EXPECT_EQ(api().cudaGetLastError(), success);
  EXPECT_EQ(api().cudaFree(array), errorInvalidValue);
  EXPECT_EQ(api().cudaStreamSynchronize(stream), errorInvalidResourceHandle);
  array = allocate(1000);
  EXPECT_EQ(launch(kernel, array + 7), success);
  EXPECT_EQ(elementOf<char>(array, 7), 1);
}

TEST_F(Faults, OfKernelsThatSynchronise) {
  Kernel kernel(writeByteThread, sizeof(cufrt_frame), 0);
  for (bool cooperative : {false, true}) {
    CaptureStderr();
    EXPECT_EQ(kernel.launch({3, 1, 1}, {32, 1, 1}, {nullptr}, 0, cooperative), success);
    EXPECT_NE(GetCapturedStderr().find("an invalid address"), std::string::npos);
    EXPECT_EQ(api().cudaDeviceSynchronize(), errorIllegalAddress);
    EXPECT_EQ(api().cudaDeviceReset(), success);
  }
  char *array = allocate(1);
  EXPECT_EQ(launch(kernel, array), success);
  EXPECT_EQ(elementOf<char>(array, 0), 1);
}

TEST_F(Faults, OfOtherKinds) {
  struct {
    cufrt_run_block run;
    Error error;
    const char *message;
  } cases[] = {{divideByZero, errorLaunchFailure, "division by zero"},
               {trap, errorLaunchFailure, "a trap"},
               {useUpTheStack, errorHardwareStackError, "stack is used up"}};
  for (auto &each : cases) {
    CaptureStderr();
    EXPECT_EQ(launch(Kernel(each.run), nullptr, 100), success);
    EXPECT_NE(GetCapturedStderr().find(each.message), std::string::npos) << each.message;
    EXPECT_EQ(api().cudaDeviceSynchronize(), each.error) << each.message;
    EXPECT_EQ(api().cudaDeviceReset(), success);
  }
}

TEST_F(Faults, UseAfterFree) {
  Kernel kernel(writeByte);
  char *array = allocate(100);
  EXPECT_EQ(launch(kernel, array), success);
  EXPECT_EQ(api().cudaFree(array), success);
  char byte = 0;
  EXPECT_EQ(api().cudaMemcpy(&byte, array, 1, deviceToHost), errorInvalidValue);
  EXPECT_EQ(api().cudaMemcpy(&byte, array, 1, copyDefault), errorInvalidValue);
  EXPECT_EQ(api().cudaMemset(array, 0, 1), errorInvalidValue);
  EXPECT_EQ(api().cudaFree(array), errorInvalidValue);
  for (int i = 0; i < 20000; ++i) // not used again soon
    EXPECT_EQ(api().cudaFree(allocate(50)), success);
  CaptureStderr();
  launch(kernel, allocate(100) - 4096);
  EXPECT_NE(GetCapturedStderr().find("before the start of an array of 100 bytes"),
            std::string::npos);
  EXPECT_EQ(api().cudaDeviceReset(), success);
  char *last = allocate(300);
  EXPECT_EQ(api().cudaFree(last), success);
  CaptureStderr();
  launch(kernel, last + 8);
  EXPECT_NE(GetCapturedStderr().find("8 bytes into an array of 300 bytes that was freed"),
            std::string::npos);
}

// What CUDA 13 answers on an H200.
TEST_F(Faults, CopiesStayInsideAllocations) {
  char *array = allocate(1000), *other = allocate(4000);
  std::vector<char> host(8000);
  char *h = host.data();
  EXPECT_EQ(api().cudaMemcpy(h, array, 1000, deviceToHost), success);
  for (int kind : {deviceToHost, copyDefault}) {
    EXPECT_EQ(api().cudaMemcpy(h, array, 1001, kind), errorInvalidValue);
    EXPECT_EQ(api().cudaMemcpy(h, array + 990, 20, kind), errorInvalidValue);
    EXPECT_EQ(api().cudaMemcpyAsync(h, array, 1001, kind, nullptr), errorInvalidValue);
  }
  EXPECT_EQ(api().cudaMemcpy(array, other, 1001, deviceToDevice), errorInvalidValue);
  EXPECT_EQ(api().cudaMemset(array, 0, 1001), errorInvalidValue);
  EXPECT_EQ(api().cudaMemcpy2D(h, 100, array, 900, 100, 2, copyDefault), success);
  EXPECT_EQ(api().cudaMemcpy2D(h, 100, array, 901, 100, 2, copyDefault), errorInvalidValue);
  EXPECT_EQ(api().cudaMemset2D(array, 901, 0, 100, 2), errorInvalidValue);
  EXPECT_EQ(api().cudaMemcpy2D(h, SIZE_MAX, array, SIZE_MAX, 100, 3, copyDefault),
            errorInvalidValue);
}

TEST_F(Faults, DirectionsNameDeviceMemory) {
  char *array = allocate(1000), *other = allocate(1000);
  std::vector<char> host(200);
  char *h = host.data();
  EXPECT_EQ(api().cudaMemcpy(h, h + 100, 100, copyDefault), success);
  for (int kind : {hostToDevice, deviceToHost, deviceToDevice})
    EXPECT_EQ(api().cudaMemcpy(h, h + 100, 100, kind), errorInvalidValue);
  EXPECT_EQ(api().cudaMemcpy(h, array, 100, hostToDevice), errorInvalidValue);
  EXPECT_EQ(api().cudaMemcpy(array, h, 100, deviceToHost), errorInvalidValue);
  EXPECT_EQ(api().cudaMemcpy(array, h, 100, deviceToDevice), errorInvalidValue);
  EXPECT_EQ(api().cudaMemset(h, 0, 100), errorInvalidValue);
  for (int kind : {hostToHost, hostToDevice, deviceToHost, deviceToDevice})
    EXPECT_EQ(api().cudaMemcpy(array, other, 100, kind), success);
  PinnedVector<char> pinned(100);
  EXPECT_EQ(api().cudaMemcpy(pinned.data(), h, 100, hostToDevice), success);
  EXPECT_EQ(api().cudaMemset(pinned.data(), 0, 101), errorInvalidValue);
}

using FaultsDeath = Faults;

TEST_F(FaultsDeath, HostCodeThatUsesDeviceMemory) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const char *message = "host code used the address of device memory .12 bytes into an array of "
                        "400 bytes.: copy it to the host first";
  EXPECT_EXIT(allocate(400)[12] = 1, testing::KilledBySignal(SIGSEGV), message);
  EXPECT_EXIT(
      {
        char *array = allocate(400);
        launch(Kernel(writeByte), array); // opened by the kernel, closed after it
        array[12] = 1;
      },
      testing::KilledBySignal(SIGSEGV), message);
  EXPECT_EXIT(
      {
        char *array = allocate(400);
        api().cudaMemset(array, 0, 400);
        std::thread([array] { array[12] = 1; }).join();
      },
      testing::KilledBySignal(SIGSEGV), message);
}

void ownHandler(int) { _Exit(42); }

// A handler that the program puts in place later does not end up before the runtime's.
TEST_F(FaultsDeath, OtherHandlersComeAfter) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  Kernel kernel(writeByte);
  EXPECT_EXIT(
      {
        char *array = allocate(400);
        std::signal(SIGSEGV, ownHandler);
        launch(kernel, array);
        if (elementOf<char>(array, 0) == 1)
          *static_cast<volatile char *>(nullptr) = 1;
      },
      testing::ExitedWithCode(42), "");
}

TEST_F(Faults, ManagedAndPinnedMemoryIsTheHostsToo) {
  Kernel kernel(writeByte);
  for (size_t bytes : {size_t{100}, size_t{100000}}) {
    void *managed = nullptr;
    ASSERT_EQ(api().cudaMallocManaged(&managed, bytes, 1), success);
    std::memset(managed, 5, bytes);
    launch(kernel, managed);
    EXPECT_EQ(static_cast<char *>(managed)[0], 1);
    EXPECT_EQ(static_cast<char *>(managed)[bytes - 1], 5);
    EXPECT_EQ(api().cudaFree(managed), success);
  }
}

// More allocations than the arena takes.
TEST_F(Faults, ManyAllocations) {
  std::vector<char *> arrays;
  for (int i = 0; i < 9000; ++i)
    arrays.push_back(allocate(8));
  Kernel kernel(writeByte);
  for (size_t i = 0; i < arrays.size(); i += 89) {
    launch(kernel, arrays[i] + 7, 1);
    EXPECT_EQ(elementOf<char>(arrays[i], 7), 1);
  }
  for (char *array : arrays)
    EXPECT_EQ(api().cudaFree(array), success);
}

// A loop over two arrays waits where both have the same place in a page, see host/arena.cpp.
TEST_F(Faults, LargeArraysBeginAtDifferentPlacesOfAPage) {
  constexpr size_t bytes = size_t{1} << 20;
  std::vector<char *> arrays;
  std::set<uintptr_t> places;
  for (int i = 0; i < 8; ++i) {
    arrays.push_back(allocate(bytes));
    auto start = reinterpret_cast<uintptr_t>(arrays.back());
    EXPECT_EQ(start % 256, 0u);
    places.insert(start % 4096);
  }
  EXPECT_EQ(places.size(), arrays.size());
  Kernel kernel(writeByte);
  for (char *array : arrays) {
    EXPECT_EQ(launch(kernel, array + bytes - 1), success);
    EXPECT_EQ(launch(kernel, array), success);
    EXPECT_EQ(api().cudaFree(array), success);
  }
}

// Threads that launch and copy at the same time close what others use.
TEST_F(Faults, SeveralHostThreads) {
  Kernel kernel(writeByte);
  auto work = [&] {
    for (int i = 0; i < 300; ++i) {
      char *array = allocate(200);
      EXPECT_EQ(api().cudaMemset(array, 3, 200), success);
      EXPECT_EQ(launch(kernel, array + 100), success);
      EXPECT_EQ(elementOf<char>(array, 100), 1);
      EXPECT_EQ(elementOf<char>(array, 99), 3);
      EXPECT_EQ(api().cudaFree(array), success);
    }
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back(work);
  for (std::thread &thread : threads)
    thread.join();
}

} // namespace
