// The CUDA back end on a real GPU: registration as nvcc's objects do it, launches, errors,
// transfers. Exits with 77 (skipped) where there is no GPU.
#include "core/copy.h"
#include "core/module_registry.h"
#include "cufrt/abi.h"
#include "cufrt/device.h"
#include "cufrt/device_properties.h"
#include "descriptors.h"

#include <cstdio>
#include <cstring>
#include <gtest/gtest.h>
#include <random>
#include <string>

using namespace cufrt;

// The fat binary and the wrapper that libcudart expects around it (fatbinary_section.h).
asm(".section .nv_fatbin,\"a\"\n"
    ".balign 8\n"
    "gpuKernels:\n"
    ".incbin \"" GPU_KERNELS "\"\n"
    ".previous\n");
extern "C" const char gpuKernels[];

extern "C" void _FortranACUFInit();
extern "C" void _FortranACUFLaunchKernel(const void *, intptr_t, intptr_t, intptr_t, intptr_t,
                                         intptr_t, intptr_t, int64_t *, int32_t, void **, void **);
extern "C" void _FortranACUFLaunchClusterKernel(const void *, intptr_t, intptr_t, intptr_t,
                                                intptr_t, intptr_t, intptr_t, intptr_t, intptr_t,
                                                intptr_t, int64_t *, int32_t, void **, void **);
extern "C" void _FortranACUFLaunchCooperativeKernel(const void *, intptr_t, intptr_t, intptr_t,
                                                    intptr_t, intptr_t, intptr_t, int64_t *,
                                                    int32_t, void **, void **);

namespace {

struct FatBinaryWrapper {
  int magic, version;
  const void *data;
  void *unused;
};
__attribute__((section(".nvFatBinSegment")))
const FatBinaryWrapper wrapper{0x466243b1, 1, gpuKernels, nullptr};

// Host symbols that stand for kernels, aligned like the functions that libcudart expects.
struct alignas(16) Stub {
  char code[16];
};
Stub scaleStub, managedStub, countStub, boundedStub, clusterStub, gridStub, trapStub, absentStub;
float deviceShadow[4];
int constantShadow;
int *managedPointer;

constexpr cufrt_kernel kernelOf(const void *stub, const char *name) {
  return {stub, name, name, nullptr, nullptr, 0, 0, 1024, 0, nullptr, 0, 0, nullptr};
}

constexpr cufrt_kernel kernels[] = {
    kernelOf(&scaleStub, "scale"),
    kernelOf(&managedStub, "increaseManaged"),
    kernelOf(&countStub, "countBlocks"),
    kernelOf(&boundedStub, "atMost128"),
    kernelOf(&clusterStub, "clusterSizes"),
    kernelOf(&gridStub, "sumOverGrid"),
    kernelOf(&trapStub, "trap"),
};
constexpr cufrt_variable variables[] = {
    {deviceShadow, "deviceValue", nullptr, 16, CUFRT_DEVICE_VARIABLE, 0},
    {&constantShadow, "constantValue", nullptr, 4, CUFRT_CONSTANT_VARIABLE, 0},
    {&managedPointer, "managedValue", nullptr, 4, CUFRT_MANAGED_VARIABLE, 0},
};
cufrt_module module{
    CUFRT_ABI_VERSION, 0, &wrapper, kernels, std::size(kernels), variables, std::size(variables),
    nullptr,           0, nullptr,  nullptr};
__attribute__((constructor)) void registerModule() { cufrt_register_module(&module); }

template <typename... Values>
Error launch(const void *stub, int64_t grid, int64_t block, int shared, Values... values) {
  void *arguments[] = {&values..., nullptr};
  _FortranACUFLaunchKernel(stub, grid, 1, 1, block, 1, 1, nullptr, shared, arguments, nullptr);
  return api().cudaGetLastError();
}

template <typename T>
struct DeviceArray {
  explicit DeviceArray(size_t count) : bytes(count * sizeof(T)) {
    data = static_cast<T *>(_FortranACUFMemAlloc(bytes, 0, "gpu_test", 1));
    api().cudaMemset(data, 0, bytes);
  }
  ~DeviceArray() { _FortranACUFMemFree(data, 0, "gpu_test", 2); }
  std::vector<T> read() const {
    std::vector<T> values(bytes / sizeof(T));
    EXPECT_EQ(api().cudaMemcpy(values.data(), data, bytes, deviceToHost), success);
    return values;
  }
  size_t bytes;
  T *data;
};

TEST(Gpu, RunsKernelsWithModuleVariables) {
  int factor = 3;
  float offsets[4] = {0, 100, 0, 0};
  _FortranACUFDataTransferPtrPtr(_FortranACUFGetDeviceAddress(&constantShadow, "t", 1), &factor, 4,
                                 0, "t", 1);
  _FortranACUFDataTransferPtrPtr(_FortranACUFGetDeviceAddress(deviceShadow, "t", 1), offsets, 16, 0,
                                 "t", 1);
  DeviceArray<float> data(1000);
  ASSERT_EQ(launch(&scaleStub, 4, 256, 0, data.data, 1000), success);
  EXPECT_EQ(data.read(), std::vector<float>(1000, 100));
}

TEST(Gpu, ManagedVariablesAreShared) {
  ASSERT_NE(managedPointer, nullptr);
  EXPECT_EQ(*managedPointer, 5);
  EXPECT_EQ(_FortranACUFGetDeviceAddress(&managedPointer, "t", 1), managedPointer);
  *managedPointer = 41;
  ASSERT_EQ(launch(&managedStub, 1, 1, 0), success);
  EXPECT_EQ(api().cudaDeviceSynchronize(), success);
  EXPECT_EQ(*managedPointer, 42);
}

// Up to CUDA 12 the answer says what is wrong; CUDA 13 answers with cudaErrorInvalidValue, or with
// cudaErrorInvalidResourceHandle for what is no kernel.
bool isRefusal(Error error) {
  return error == errorInvalidConfiguration || error == errorInvalidValue ||
         error == errorInvalidDeviceFunction || error == errorInvalidResourceHandle ||
         error == errorLaunchOutOfResources;
}

TEST(Gpu, RefusesBadConfigurations) {
  int *none = nullptr;
  EXPECT_TRUE(isRefusal(launch(&countStub, 1, 1025, 0, none)));
  EXPECT_TRUE(isRefusal(launch(&countStub, 0, 32, 0, none)));
  EXPECT_TRUE(isRefusal(launch(&countStub, -5, 32, 0, none)));
  EXPECT_TRUE(isRefusal(launch(&countStub, 1, -1, 0, none)));
  EXPECT_TRUE(isRefusal(launch(&countStub, int64_t{1} << 33, 32, 0, none)));
  EXPECT_EQ(launch(&countStub, 1, 32, 49 * 1024, none), errorInvalidValue);
  EXPECT_EQ(launch(&countStub, 1, 32, -1, none), errorInvalidValue);
  EXPECT_TRUE(isRefusal(launch(&absentStub, 1, 32, 0)));
  EXPECT_EQ(launch(&boundedStub, 1, 128, 0), success);
  EXPECT_TRUE(isRefusal(launch(&boundedStub, 1, 129, 0)));
  EXPECT_EQ(api().cudaDeviceSynchronize(), success);
}

TEST(Gpu, StarFillsTheDevice) {
  DeviceArray<int> count(1);
  ASSERT_EQ(launch(&countStub, -1, 256, 0, count.data), success);
  DeviceProperties properties;
  ASSERT_EQ(api().getProperties(properties, 0), success);
  EXPECT_EQ(count.read()[0],
            properties.multiProcessorCount * (properties.maxThreadsPerMultiProcessor / 256));
}

TEST(Gpu, Clusters) {
  DeviceArray<int> sizes(8);
  void *arguments[] = {&sizes.data};
  _FortranACUFLaunchClusterKernel(&clusterStub, 4, 1, 1, 8, 1, 1, 32, 1, 1, nullptr, 0, arguments,
                                  nullptr);
  EXPECT_EQ(api().cudaGetLastError(), success);
  EXPECT_EQ(sizes.read(), std::vector<int>(8, 4));
}

TEST(Gpu, CooperativeGrids) {
  DeviceArray<int> values(64), result(1);
  void *arguments[] = {&values.data, &result.data};
  _FortranACUFLaunchCooperativeKernel(&gridStub, 64, 1, 1, 32, 1, 1, nullptr, 0, arguments,
                                      nullptr);
  EXPECT_EQ(api().cudaGetLastError(), success);
  EXPECT_EQ(result.read()[0], 63 * 64 / 2);
  _FortranACUFLaunchCooperativeKernel(&gridStub, 1000000, 1, 1, 32, 1, 1, nullptr, 0, arguments,
                                      nullptr);
  EXPECT_EQ(api().cudaGetLastError(), 720); // cudaErrorCooperativeLaunchTooLarge
}

TEST(Gpu, Properties) {
  DeviceProperties properties;
  ASSERT_EQ(api().getProperties(properties, 0), success);
  std::string name(properties.name, sizeof properties.name);
  EXPECT_EQ(name.find('\0'), std::string::npos);
  EXPECT_EQ(name.find("NVIDIA"), 0u);
  EXPECT_EQ(properties.warpSize, 32);
  EXPECT_GT(properties.totalGlobalMem, int64_t{1} << 30);
  EXPECT_GT(properties.clockRate, 0);
  EXPECT_EQ(api().cudaGetLastError(), success); // no attribute was refused
  EXPECT_NE(api().getProperties(properties, 1000), success);
  api().cudaGetLastError();
}

TEST(Gpu, AllocatesThroughStreamsAndReportsFailure) {
  Array array = Array::unallocated(CFI_attribute_allocatable, 2, {1000});
  void *stream = nullptr;
  ASSERT_EQ(api().cudaStreamCreate(&stream), success);
  auto handle = reinterpret_cast<int64_t>(stream);
  EXPECT_EQ(
      _FortranACUFAllocatableAllocate(*array, &handle, nullptr, false, nullptr, "t", 1, false), 0);
  EXPECT_EQ(_FortranACUFAllocatableDeallocate(*array, false, nullptr, "t", 1), 0);
  EXPECT_EQ(api().cudaStreamDestroy(stream), success);
  Array huge = Array::unallocated(CFI_attribute_allocatable, 2, {int64_t{1} << 50});
  EXPECT_NE(_FortranACUFAllocatableAllocate(*huge, nullptr, nullptr, true, nullptr, "t", 1, false),
            0);
  EXPECT_EQ(api().cudaGetLastError(), success);
}

// A random section on each side; the reference is the same copy between two host arrays.
TEST(Gpu, TransfersSections) {
  std::mt19937 random(1);
  auto pick = [&](int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  };
  constexpr size_t size = 24 * 24 * 24;
  DeviceArray<float> first(size), second(size);
  std::vector<float> source(size), target(size), expected(size);
  for (size_t i = 0; i < size; ++i)
    source[i] = static_cast<float>(i);
  auto at = [&](void *base, const std::vector<Array::Triplet> &triplets) {
    return sectionOf(*Array::ofFloats(base, {24, 24, 24}).section(triplets));
  };
  for (int round = 0; round < 200; ++round) {
    std::vector<Array::Triplet> to, from;
    for (int i = 0; i < 3; ++i) {
      int64_t count = pick(1, 12);
      to.push_back({pick(0, 1), count, pick(1, 2)});
      from.push_back(pick(0, 2) ? Array::Triplet{pick(0, 1), count, 1}
                                : Array::Triplet{23, count, -pick(1, 2)});
    }
    std::fill(expected.begin(), expected.end(), -1.0f);
    target = expected;
    copyOnHost(at(expected.data(), to), at(source.data(), from));
    // Host section to device section, device to device, device section to host section.
    std::vector<float> blank(size, -1.0f);
    ASSERT_EQ(api().cudaMemcpy(first.data, source.data(), first.bytes, hostToDevice), success);
    ASSERT_EQ(api().cudaMemcpy(second.data, blank.data(), second.bytes, hostToDevice), success);
    unsigned which = static_cast<unsigned>(pick(0, 2));
    if (which == 0) {
      ASSERT_EQ(copySection(at(second.data, to), at(source.data(), from), Direction::hostToDevice),
                success);
      target = second.read();
    } else if (which == 1) {
      ASSERT_EQ(copySection(at(target.data(), to), at(first.data, from), Direction::deviceToHost),
                success);
    } else {
      ASSERT_EQ(copySection(at(second.data, to), at(first.data, from), Direction::deviceToDevice),
                success);
      target = second.read();
    }
    ASSERT_EQ(target, expected) << "round " << round << " direction " << which;
  }
}

// One cudaMemcpy3D each, whose last row ends where both allocations end.
TEST(Gpu, TransfersBlocksAtTheEndOfTheirArrays) {
  const std::vector<int64_t> extents{32, 8, 6};
  const std::vector<Array::Triplet> corner{{12, 20, 1}, {3, 5, 1}, {2, 4, 1}};
  constexpr size_t size = 32 * 8 * 6;
  DeviceArray<float> device(size);
  std::vector<float> source(size), blank(size, -1.0f), expected = blank, target = blank;
  for (size_t i = 0; i < size; ++i)
    source[i] = static_cast<float>(i);
  auto at = [&](void *base) { return sectionOf(*Array::ofFloats(base, extents).section(corner)); };
  copyOnHost(at(expected.data()), at(source.data()));
  ASSERT_EQ(api().cudaMemcpy(device.data, blank.data(), device.bytes, hostToDevice), success);
  ASSERT_EQ(copySection(at(device.data), at(source.data()), Direction::hostToDevice), success);
  EXPECT_EQ(device.read(), expected);
  ASSERT_EQ(copySection(at(target.data()), at(device.data), Direction::deviceToHost), success);
  EXPECT_EQ(target, expected);
}

TEST(Gpu, FillsAndBroadcasts) {
  DeviceArray<float> data(100000);
  Array array = Array::ofFloats(data.data, {100, 1000});
  float value = 2.5f;
  Array scalar = Array::ofFloats(&value, {});
  _FortranACUFDataTransferCstDesc(&array, &scalar, 0, "t", 1);
  EXPECT_EQ(data.read(), std::vector<float>(100000, 2.5f));
  Array rows = array.section({{1, 50, 2}, {0, 1000, 1}});
  value = -1;
  _FortranACUFDataTransferCstDesc(&rows, &scalar, 0, "t", 1);
  std::vector<float> result = data.read();
  for (size_t i = 0; i < result.size(); ++i)
    ASSERT_EQ(result[i], i % 2 ? -1.0f : 2.5f);
}

// Last, since it spoils the device.
TEST(GpuTrap, StaysAsAnError) {
  EXPECT_EQ(launch(&trapStub, 1, 1, 0), success);
  EXPECT_EQ(api().cudaDeviceSynchronize(), errorLaunchFailure);
  EXPECT_EQ(api().cudaGetLastError(), errorLaunchFailure);
  EXPECT_EQ(api().cudaDeviceSynchronize(), errorLaunchFailure);
}

} // namespace

int main(int argc, char **argv) {
  testing::InitGoogleTest(&argc, argv);
  int count = 0;
  if (cudaDevice()->cudaGetDeviceCount(&count) != success) {
    std::puts("no GPU can be used here");
    return 77;
  }
  _FortranACUFInit();
  return RUN_ALL_TESTS();
}
