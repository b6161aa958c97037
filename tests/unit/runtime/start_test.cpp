// The start of a program: which device runs it, and what it is told. Each case runs in a process of
// its own, since the choice is made once.
#include "cufrt/device.h"

#include <cstdlib>
#include <gtest/gtest.h>

using namespace cufrt;

namespace {

class StartDeath : public testing::Test {
protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }

  [[noreturn]] static void startWith(const char *device, const char *threads) {
    setenv("CUF_DEVICE", device, 1);
    setenv("CUF_HOST_THREADS", threads, 1);
    std::exit(api().isHost ? 0 : 2);
  }
};

TEST_F(StartDeath, SaysThatTheHostRuns) {
  EXPECT_EXIT(startWith("auto", "3"), testing::ExitedWithCode(0),
              "^cufrt: no GPU \\(the program was linked without the CUDA toolkit\\); kernels run "
              "on the CPU, 3 threads\n$");
  EXPECT_EXIT(startWith("host", "1"), testing::ExitedWithCode(0),
              "^cufrt: CUF_DEVICE=host; kernels run on the CPU, 1 thread\n$");
}

TEST_F(StartDeath, RefusesWhatIsNotThere) {
  EXPECT_EXIT(startWith("gpu", "1"), testing::ExitedWithCode(1),
              "^cufrt: CUF_DEVICE=gpu, but no GPU can be used: the program was linked without the "
              "CUDA toolkit\n$");
}

TEST_F(StartDeath, RefusesSettingsThatMakeNoSense) {
  EXPECT_EXIT(startWith("cuda", "1"), testing::ExitedWithCode(1), "CUF_DEVICE is 'cuda'");
  EXPECT_EXIT(startWith("host", "0"), testing::ExitedWithCode(1), "CUF_HOST_THREADS is '0'");
  EXPECT_EXIT(startWith("host", "2x"), testing::ExitedWithCode(1), "CUF_HOST_THREADS is '2x'");
}

TEST_F(StartDeath, ReportsTheDeviceWhenAsked) {
  auto start = [](const char *report) {
    setenv("CUF_REPORT", report, 1);
    startWith("host", "2");
  };
  EXPECT_EXIT(start("1"), testing::ExitedWithCode(0), "\ncufrt: ran on the CPU, 2 threads\n$");
  EXPECT_EXIT(start("0"), testing::ExitedWithCode(0), "kernels run on the CPU, 2 threads\n$");
  EXPECT_EXIT(start("often"), testing::ExitedWithCode(1),
              "CUF_REPORT is 'often'; it can be 0, 1 or json");
}

TEST_F(StartDeath, RefusesObjectsOfAnotherVersion) {
  static cufrt_module module{};
  module.version = CUFRT_ABI_VERSION + 1;
  EXPECT_EXIT(cufrt_register_module(&module), testing::ExitedWithCode(1), "compile it again");
}

TEST_F(StartDeath, KernelsWithoutGpuCodeNeedTheHost) {
  static const cufrt_kernel kernel{&kernel, "k", "k",     nullptr, nullptr, 0,      0,
                                   1024,    0,   nullptr, 0,       0,       nullptr};
  static cufrt_module module{CUFRT_ABI_VERSION, 0, nullptr, &kernel, 1, nullptr, 0,
                             nullptr,           0, nullptr, nullptr};
  auto start = [](const char *device) {
    cufrt_register_module(&module);
    startWith(device, "1");
  };
  EXPECT_EXIT(start("auto"), testing::ExitedWithCode(0), "^cufrt: the program holds no GPU code");
  EXPECT_EXIT(start("gpu"), testing::ExitedWithCode(1), "the program holds no GPU code");
}

} // namespace
