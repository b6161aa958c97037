// ALLOCATE and DEALLOCATE, the allocator registry, module variables and descriptors.
#include "cufrt/abi.h"
#include "cufrt/device.h"
#include "descriptors.h"
#include "device_memory.h"

#include <cstring>
#include <gtest/gtest.h>
#include <string>

using namespace cufrt;

namespace {

constexpr int pinnedPosition = 1, devicePosition = 2, managedPosition = 3, unifiedPosition = 4;

size_t freeMemory() {
  size_t free = 0, total = 0;
  api().cudaMemGetInfo(&free, &total);
  return free;
}

Array allocatable(int position, std::vector<int64_t> extents) {
  _FortranACUFRegisterAllocator();
  return Array::unallocated(CFI_attribute_allocatable, position, extents);
}

int allocate(Array &array, bool *pinned = nullptr, bool hasStat = false,
             const CFI_cdesc_t *message = nullptr) {
  return _FortranACUFAllocatableAllocate(*array, nullptr, pinned, hasStat, message, "test.cuf", 5,
                                         false);
}

int deallocate(Array &array) {
  return _FortranACUFAllocatableDeallocate(*array, false, nullptr, "test.cuf", 6);
}

TEST(Allocate, TakesMemoryFromTheDevice) {
  for (int position : {pinnedPosition, devicePosition, managedPosition, unifiedPosition}) {
    Array array = allocatable(position, {100, 10});
    size_t before = freeMemory();
    ASSERT_EQ(allocate(array), 0);
    EXPECT_EQ(before - freeMemory(), 4000u);
    EXPECT_EQ(array->dim[1].sm, 400);
    ASSERT_EQ(deallocate(array), 0);
    EXPECT_EQ(freeMemory(), before);
  }
}

TEST(Allocate, TellsWhetherMemoryIsPinned) {
  bool pinned = false;
  Array array = allocatable(pinnedPosition, {10});
  ASSERT_EQ(allocate(array, &pinned), 0);
  EXPECT_TRUE(pinned);
  deallocate(array);
  Array other = allocatable(devicePosition, {10});
  ASSERT_EQ(allocate(other, &pinned), 0);
  EXPECT_FALSE(pinned);
  deallocate(other);
}

TEST(Allocate, ReportsFailureThroughStat) {
  Array array = allocatable(devicePosition, {int64_t{1} << 58});
  Message message(90);
  EXPECT_NE(allocate(array, nullptr, true, message.descriptor()), 0);
  std::string text(message.text.begin(), message.text.end());
  EXPECT_EQ(text.find("allocating 1152921504606846976 bytes failed with "
                      "cudaErrorMemoryAllocation"),
            0u);
  EXPECT_EQ(array->base_addr, nullptr);
  EXPECT_EQ(api().cudaGetLastError(), success); // the program handled it

  Message longer(200);
  allocate(array, nullptr, true, longer.descriptor());
  EXPECT_EQ(longer.text.back(), ' ');
}

TEST(Allocate, ReportsWhatIsAllocatedAlready) {
  Array array = allocatable(devicePosition, {10});
  ASSERT_EQ(allocate(array), 0);
  Message message(60);
  EXPECT_NE(allocate(array, nullptr, true, message.descriptor()), 0);
  EXPECT_NE(message.text[0], '?');
  deallocate(array);
}

TEST(Allocate, OnAStreamFreesOnTheStream) {
  void *stream = nullptr;
  api().cudaStreamCreate(&stream);
  auto handle = reinterpret_cast<int64_t>(stream);
  Array array = allocatable(devicePosition, {10});
  ASSERT_EQ(_FortranACUFAllocatableAllocate(*array, &handle, nullptr, false, nullptr, "test.cuf", 5,
                                            false),
            0);
  EXPECT_EQ(_FortranACUFGetAssociatedStream(array->base_addr), stream);
  void *memory = array->base_addr;
  deallocate(array);
  EXPECT_EQ(_FortranACUFGetAssociatedStream(memory), nullptr);
  api().cudaStreamDestroy(stream);
}

TEST(Allocate, FromSource) {
  float values[] = {1, 2, 3, 4, 5, 6};
  Array source = Array::ofFloats(values, {6}).section({{5, 3, -2}});
  Array array = allocatable(devicePosition, {3});
  ASSERT_EQ(_FortranACUFAllocatableAllocateSource(*array, *source, nullptr, nullptr, false, nullptr,
                                                  "test.cuf", 5, false),
            0);
  EXPECT_EQ(elementOf<float>(array->base_addr, 0), 6);
  EXPECT_EQ(elementOf<float>(array->base_addr, 2), 2);

  Array copy = allocatable(devicePosition, {3});
  _FortranACUFAllocatableAllocateSource(*copy, *array, nullptr, nullptr, false, nullptr, "test.cuf",
                                        5, true);
  EXPECT_EQ(elementOf<float>(copy->base_addr, 1), 4);
  deallocate(copy);
  deallocate(array);

  Array scalar = Array::ofFloats(values, {}), filled = allocatable(devicePosition, {4});
  _FortranACUFAllocatableAllocateSource(*filled, *scalar, nullptr, nullptr, false, nullptr,
                                        "test.cuf", 5, false);
  EXPECT_EQ(elementOf<float>(filled->base_addr, 3), 1);
  deallocate(filled);
}

TEST(Allocate, Pointers) {
  float value = 8;
  _FortranACUFRegisterAllocator();
  Array scalar = Array::ofFloats(&value, {});
  Array pointer = Array::unallocated(CFI_attribute_pointer, devicePosition, {5});
  size_t before = freeMemory();
  ASSERT_EQ(_FortranACUFPointerAllocateSource(*pointer, *scalar, nullptr, nullptr, false, nullptr,
                                              "test.cuf", 5, false),
            0);
  EXPECT_LT(freeMemory(), before);
  EXPECT_EQ(elementOf<float>(pointer->base_addr, 4), 8);
  EXPECT_EQ(_FortranACUFAllocatableDeallocate(*pointer, false, nullptr, "test.cuf", 6), 0);
  EXPECT_EQ(freeMemory(), before);
}

TEST(MemAlloc, AllKinds) {
  for (unsigned kind : {0u, 1u, 2u, 3u})
    for (size_t bytes : {0u, 1u, 1000u}) {
      void *memory = _FortranACUFMemAlloc(bytes, kind, "test.cuf", 1);
      ASSERT_NE(memory, nullptr);
      EXPECT_EQ(api().cudaMemset(memory, 1, bytes), success);
      _FortranACUFMemFree(memory, kind, "test.cuf", 2);
    }
}

TEST(AllocateDeath, NamesThePlaceAndTheError) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  Array array = allocatable(devicePosition, {int64_t{1} << 58});
  EXPECT_EXIT(allocate(array), testing::ExitedWithCode(1),
              "test.cuf:5: allocating 1152921504606846976 bytes failed with "
              "cudaErrorMemoryAllocation: there is not enough free memory");
  EXPECT_EXIT(_FortranACUFMemAlloc(size_t{1} << 60, 0, "test.cuf", 9), testing::ExitedWithCode(1),
              "test.cuf:9: allocating 1152921504606846976 bytes of device memory failed");
  float values[4] = {};
  Array section = Array::ofFloats(values, {4}).section({{0, 2, 2}});
  EXPECT_EXIT(_FortranACUFDescriptorCheckSection(&section, "test.cuf", 3),
              testing::ExitedWithCode(1), "test.cuf:3: .* not contiguous");
}

// Module variables: an allocatable's descriptor, a constant, a managed scalar.
struct Globals {
  Array descriptor = allocatable(devicePosition, {4}); // the host's
  char deviceDescriptor[48] = {};                      // the kernels'
  int constant = 1, constantOnDevice = 2;
  void *managedPointer = nullptr;
  int managed = 3;
  cufrt_variable variables[3];
  cufrt_module module{};

  Globals() {
    variables[0] = {&descriptor, "a", deviceDescriptor, 48, CUFRT_DEVICE_VARIABLE, 0};
    variables[1] = {&constant, "c", &constantOnDevice, 4, CUFRT_CONSTANT_VARIABLE, 0};
    variables[2] = {&managedPointer, "m", &managed, 4, CUFRT_MANAGED_VARIABLE, 0};
    module.version = CUFRT_ABI_VERSION;
    module.variables = variables;
    module.variable_count = 3;
    api(); // modules that arrive later are prepared too
    cufrt_register_module(&module);
  }
};

Globals &globals() {
  static auto *instance = new Globals;
  return *instance;
}

TEST(ModuleVariables, HaveDeviceAddresses) {
  Globals &all = globals();
  EXPECT_EQ(_FortranACUFGetDeviceAddress(&all.constant, "test.cuf", 1), &all.constantOnDevice);
  EXPECT_EQ(all.managedPointer, &all.managed);
  EXPECT_EQ(_FortranACUFGetDeviceAddress(&all.managedPointer, "test.cuf", 1), &all.managed);
  void *address = nullptr;
  EXPECT_EQ(api().cudaGetSymbolAddress(&address, &address), errorInvalidSymbol);
  EXPECT_EQ(api().cudaGetLastError(), errorInvalidSymbol);
}

TEST(ModuleVariables, DescriptorsFollowTheHost) {
  Globals &all = globals();
  auto *onDevice = reinterpret_cast<CFI_cdesc_t *>(all.deviceDescriptor);
  ASSERT_EQ(_FortranACUFAllocatableAllocateSync(*all.descriptor, nullptr, nullptr, false, nullptr,
                                                "test.cuf", 1, false),
            0);
  EXPECT_EQ(onDevice->base_addr, all.descriptor->base_addr);
  EXPECT_EQ(onDevice->dim[0].extent, 4);
  float values[6] = {1, 2, 3, 4, 5, 6};
  Array source = Array::ofFloats(values, {6});
  _FortranACUFDataTransferGlobalDescDesc(&all.descriptor, &source, 0, "test.cuf", 1);
  EXPECT_EQ(onDevice->dim[0].extent, 6);
  EXPECT_EQ(elementOf<float>(onDevice->base_addr, 5), 6);
  EXPECT_EQ(_FortranACUFAllocatableDeallocate(*all.descriptor, false, nullptr, "test.cuf", 1), 0);
  EXPECT_EQ(onDevice->base_addr, nullptr);
}

TEST(Descriptors, InMemoryThatKernelsRead) {
  CFI_cdesc_t *descriptor = _FortranACUFAllocDescriptor(48, "test.cuf", 1);
  ASSERT_NE(descriptor, nullptr);
  _FortranACUFFreeDescriptor(descriptor, "test.cuf", 2);
  _FortranACUFDescriptorCheckSection(nullptr, "test.cuf", 3);
}

} // namespace
