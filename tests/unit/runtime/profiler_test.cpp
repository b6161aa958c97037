// The report of a program on a GPU, with a device and a libcupti that only seem to be there: whose
// work CUPTI's records are, and what measures when there is no CUPTI.
#include "core/settings.h"
#include "report/library_call.h"
#include "report/report.h"
#include "report/work.h"

#include <cstdlib>
#include <dlfcn.h>
#include <gtest/gtest.h>

using namespace cufrt;

namespace {

constexpr uint32_t kernel = 10, copy = 1, peerCopy = 22; // kinds of records

void (*doWork)(uint32_t) = [](uint32_t) {};

Error copyOnFake(void *, const void *, size_t, int) { return doWork(copy), success; }
Error copyPeerOnFake(void *, int, const void *, int, size_t) { return doWork(peerCopy), success; }
Error versionOfFake(int *version) { return *version = 13000, success; }
Error setFake(int) { return success; }
Error propertiesOfFake(DeviceProperties &, int) { return errorInvalidDevice; }

Device fakeDevice() {
  Device device = hostDevice();
  device.isHost = false;
  device.cudaMemcpy = copyOnFake;
  device.cudaMemcpyPeer = copyPeerOnFake;
  device.cudaRuntimeGetVersion = versionOfFake;
  device.cudaSetDevice = setFake;
  device.getProperties = propertiesOfFake;
  return device;
}

class ReportDeath : public testing::Test {
protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }

  [[noreturn]] static void runWith(const char *profiler) {
    setenv("CUF_REPORT", "1", 1);
    setenv("CUDA_INJECTION64_PATH", profiler, 1);
    void *library = dlopen(FAKE_CUPTI, RTLD_NOW); // by its name, further calls get the same
    if (!library)
      std::exit(9);
    doWork = reinterpret_cast<void (*)(uint32_t)>(dlsym(library, "fakeWork"));
    static const Device fake = fakeDevice();
    const Device &device = report::start(fake);
    char here[4000], there[4000];
    {
      report::OriginScope origin(report::Origin::assignment);
      device.cudaMemcpy(here, there, sizeof here, hostToDevice);
    }
    device.cudaMemcpy(here, there, sizeof here, hostToDevice);
    device.cudaMemcpyPeer(here, 0, there, 1, 128);
    doWork(copy);
    {
      report::LibraryCall call("cublas_v2", "cublasSgemm_v2");
      doWork(kernel);
      doWork(kernel);
    }
    doWork(kernel);
    std::exit(0);
  }
};

TEST_F(ReportDeath, RecordsBelongToWhoAsked) {
  EXPECT_EXIT(runWith(""), testing::ExitedWithCode(0),
              "cublasSgemm_v2: internal::gemm +2 +0\\.004 +0\\.002\n"
              " +internal::gemm +1 +0\\.002 +0\\.002\n"
              " +library call +calls +total ms +mean ms +device ms\n"
              " +cublasSgemm_v2 +1 +[0-9.]+ +[0-9.]+ +0\\.004\n"
              " +transfer +calls +bytes +total ms +GB/s\n"
              " +host to device, cudaMemcpy +1 +4000 +0\\.000 +10\\.000\n"
              " +host to device, assignment +1 +4000 +0\\.000 +10\\.000\n"
              " +host to device, other +1 +4000 +0\\.000 +10\\.000\n"
              " +device to device, cudaMemcpy +1 +128 +0\\.000 +12\\.800\n$");
}

TEST_F(ReportDeath, EventsMeasureWhereAsked) {
  auto run = [] {
    setenv("CUF_REPORT_CUPTI", "off", 1);
    runWith("");
  };
  EXPECT_EXIT(run(), testing::ExitedWithCode(0), "without CUPTI \\(CUF_REPORT_CUPTI=off\\)");
}

TEST_F(ReportDeath, EventsMeasureBesideAnotherProfiler) {
  EXPECT_EXIT(runWith("/tool.so"), testing::ExitedWithCode(0),
              "host to device, assignment +1 +4000 (.|\n)*without CUPTI \\(another profiler is "
              "attached\\) times are those between events");
}

} // namespace
