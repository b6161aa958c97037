// Transfers of sections of every shape, against an element-by-element reference.
#include "core/copy.h"
#include "core/fill.h"
#include "cufrt/device.h"
#include "descriptors.h"
#include "device_memory.h"

#include <cstring>
#include <gtest/gtest.h>
#include <numeric>
#include <random>

using namespace cufrt;

namespace {

constexpr unsigned toDevice = 0, toHost = 1, onDevice = 2;

std::vector<float> numbers(size_t count) {
  std::vector<float> values(count);
  std::iota(values.begin(), values.end(), 1.0f);
  return values;
}

void transfer(Array &to, Array &from, unsigned mode = toDevice) {
  _FortranACUFDataTransferDescDescNoRealloc(&to, &from, mode, "test.cuf", 7);
}

// The memory as if from and to were copied one element after the other, the right side first.
template <typename Action>
void forEachElement(const Section &section, Action action, int dimension, char *base) {
  if (dimension < 0)
    return action(base);
  for (int64_t i = 0; i < section.extent[dimension]; ++i)
    forEachElement(section, action, dimension - 1, base + i * section.stride[dimension]);
}

std::vector<char> gather(const Section &section) {
  std::vector<char> bytes;
  if (section.elements())
    forEachElement(
        section,
        [&](char *element) { bytes.insert(bytes.end(), element, element + section.elementBytes); },
        section.rank - 1, section.base);
  return bytes;
}

void scatter(const Section &section, const std::vector<char> &bytes) {
  const char *next = bytes.data();
  if (section.elements())
    forEachElement(
        section,
        [&](char *element) {
          std::memcpy(element, next, section.elementBytes);
          next += section.elementBytes;
        },
        section.rank - 1, section.base);
}

// Random arrays, sections of them with the same shape, every direction.
class RandomCopies : public testing::TestWithParam<unsigned> {
protected:
  std::mt19937 random{GetParam()};
  int64_t pick(int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  }

  // Of an array with `extents`, a section with `counts` elements.
  Array randomSection(const Array &whole, const std::vector<int64_t> &extents,
                      const std::vector<int64_t> &counts) {
    std::vector<Array::Triplet> triplets;
    for (size_t i = 0; i < counts.size(); ++i) {
      int64_t maxStep = counts[i] > 1 ? (extents[i] - 1) / (counts[i] - 1) : 3;
      int64_t step = pick(1, std::max<int64_t>(1, std::min<int64_t>(maxStep, 3)));
      int64_t reach = counts[i] > 0 ? (counts[i] - 1) * step : 0;
      int64_t start = pick(0, std::max<int64_t>(0, extents[i] - 1 - reach));
      bool backwards = pick(0, 3) == 0;
      triplets.push_back(backwards ? Array::Triplet{start + reach, counts[i], -step}
                                   : Array::Triplet{start, counts[i], step});
    }
    return whole.section(triplets);
  }
};

TEST_P(RandomCopies, AgreeWithTheReference) {
  for (int round = 0; round < 300; ++round) {
    auto rank = static_cast<size_t>(pick(1, 4));
    size_t elementBytes =
        std::vector<size_t>{1, 2, 4, 8, 12, 16, 600}[static_cast<size_t>(pick(0, 6))];
    std::vector<int64_t> extents, counts;
    size_t total = elementBytes;
    for (size_t i = 0; i < rank; ++i) {
      extents.push_back(pick(1, 9));
      counts.push_back(pick(pick(0, 9) == 0 ? 0 : 1, extents[i]));
      total *= static_cast<size_t>(extents[i]);
    }
    std::vector<char> source(total), target(total), expected;
    for (char &byte : source)
      byte = static_cast<char>(pick(0, 255));
    for (char &byte : target)
      byte = static_cast<char>(pick(0, 255));
    bool overlapping = pick(0, 3) == 0; // both sections of the same array
    char *sourceBase = overlapping ? target.data() : source.data();
    Array from =
        randomSection(Array(sourceBase, CFI_type_struct, elementBytes, extents), extents, counts);
    Array to = randomSection(Array(target.data(), CFI_type_struct, elementBytes, extents), extents,
                             counts);

    std::vector<char> before = target;
    scatter(sectionOf(*to), gather(sectionOf(*from)));
    expected = target;
    target = before;
    auto direction = static_cast<Direction>(pick(0, 2));
    ASSERT_EQ(copySection(sectionOf(*to), sectionOf(*from), direction), success);
    ASSERT_EQ(target, expected) << "round " << round << " rank " << rank << " overlapping "
                                << overlapping;
  }
}

TEST_P(RandomCopies, FillsAgreeWithTheReference) {
  for (int round = 0; round < 200; ++round) {
    auto rank = static_cast<size_t>(pick(0, 4));
    auto elementBytes = static_cast<size_t>(pick(1, 9));
    std::vector<int64_t> extents, counts;
    size_t total = elementBytes;
    for (size_t i = 0; i < rank; ++i) {
      extents.push_back(pick(1, 9));
      counts.push_back(pick(pick(0, 9) == 0 ? 0 : 1, extents[i]));
      total *= static_cast<size_t>(extents[i]);
    }
    PinnedVector<char> target(total, 'x'), expected;
    std::vector<char> value(elementBytes, 'y');
    if (pick(0, 1))
      value[0] = 'z';
    Array to = randomSection(Array(target.data(), CFI_type_struct, elementBytes, extents), extents,
                             counts);
    std::vector<char> all;
    for (size_t i = 0; i < sectionOf(*to).elements(); ++i)
      all.insert(all.end(), value.begin(), value.end());
    scatter(sectionOf(*to), all);
    expected = target;
    target.assign(total, 'x');
    ASSERT_EQ(fillOnDevice(sectionOf(*to), value.data()), success);
    ASSERT_EQ(target, expected) << "round " << round;
    target.assign(total, 'x');
    fillOnHost(sectionOf(*to), value.data());
    ASSERT_EQ(target, expected);
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomCopies, testing::Range(1u, 6u));

TEST(Transfer, ContiguousArrays) {
  auto source = numbers(1000);
  std::vector<float> target(1000);
  Array from = Array::ofFloats(source.data(), {10, 100}),
        to = Array::ofFloats(target.data(), {10, 100});
  transfer(to, from);
  EXPECT_EQ(target, source);
}

TEST(Transfer, StridedHostIntoContiguousDevice) {
  auto source = numbers(10);
  std::vector<float> target(5);
  Array from = Array::ofFloats(source.data(), {10}).section({{9, 5, -2}});
  Array to = Array::ofFloats(target.data(), {5});
  transfer(to, from);
  EXPECT_EQ(target, (std::vector<float>{10, 8, 6, 4, 2}));
}

TEST(Transfer, LargeValuesAreFilledByDoubling) {
  PinnedVector<double> target(300001);
  double value = 1.25;
  Array scalar(&value, CFI_type_double, 8, {}), to(target.data(), CFI_type_double, 8, {300001});
  _FortranACUFDataTransferCstDesc(&to, &scalar, toDevice, "test.cuf", 1);
  EXPECT_EQ(target, PinnedVector<double>(300001, 1.25));
  value = 0;
  _FortranACUFMemsetDescriptor(&to, &value, "test.cuf", 1);
  EXPECT_EQ(target, PinnedVector<double>(300001, 0.0));
}

TEST(Transfer, BroadcastsAScalarOfTheDevice) {
  float value = 3;
  std::vector<float> target(7);
  Array from = Array::ofFloats(&value, {}), to = Array::ofFloats(target.data(), {7});
  for (unsigned mode : {toDevice, toHost, onDevice}) {
    target.assign(7, 0);
    transfer(to, from, mode);
    EXPECT_EQ(target, std::vector<float>(7, 3));
  }
}

TEST(Transfer, Scalars) {
  float a = 1, b = 2;
  Array from = Array::ofFloats(&a, {}), to = Array::ofFloats(&b, {});
  transfer(to, from);
  EXPECT_EQ(b, 1);
  _FortranACUFDataTransferPtrPtr(&a, &b, 0, toDevice, nullptr, 0);
}

TEST(Transfer, DescriptorIntoPointer) {
  auto source = numbers(12);
  std::vector<float> target(6);
  Array from = Array::ofFloats(source.data(), {4, 3}).section({{0, 2, 2}, {0, 3, 1}});
  _FortranACUFDataTransferPtrDesc(target.data(), &from, 6 * sizeof(float), toHost, nullptr, 0);
  EXPECT_EQ(target, (std::vector<float>{1, 3, 5, 7, 9, 11}));
}

TEST(Transfer, CharactersAreCutOrPadded) {
  char source[] = "onetwothree", target[] = "....................";
  Array from(source, CFI_type_char, 3, {2});
  for (unsigned mode : {toDevice, toHost, onDevice}) {
    Array longer(target, CFI_type_char, 5, {2}), shorter(target + 10, CFI_type_char, 2, {2});
    transfer(longer, from, mode);
    transfer(shorter, from, mode);
    EXPECT_STREQ(target, "one  two  ontw......");
    Array word(source + 6, CFI_type_char, 5, {});
    transfer(longer, word, mode);
    transfer(shorter, word, mode);
    EXPECT_STREQ(target, "threethreethth......");
  }
}

// Allocatables on the left.

Array deviceArray(std::vector<int64_t> extents) {
  _FortranACUFRegisterAllocator();
  return Array::unallocated(CFI_attribute_allocatable, 2, extents);
}

TEST(Reallocation, GivesTheLeftTheShapeOfTheRight) {
  auto source = numbers(12);
  Array from = Array::ofFloats(source.data(), {4, 3});
  from->dim[0].lower_bound = -1;
  Array to = deviceArray({0, 0});
  _FortranACUFDataTransferDescDesc(&to, &from, toDevice, "test.cuf", 1);
  ASSERT_NE(to->base_addr, nullptr);
  EXPECT_EQ(to->dim[0].lower_bound, -1);
  EXPECT_EQ(to->dim[0].extent, 4);
  EXPECT_EQ(to->dim[1].sm, 16);
  EXPECT_EQ(elementOf<float>(to->base_addr, 11), 12);

  void *kept = to->base_addr; // the same shape keeps the memory
  _FortranACUFDataTransferDescDesc(&to, &from, toDevice, "test.cuf", 1);
  EXPECT_EQ(to->base_addr, kept);

  Array column = Array::ofFloats(source.data(), {4, 3}).section({{0, 4, 1}, {2, 1, 1}});
  _FortranACUFDataTransferDescDesc(&to, &column, toDevice, "test.cuf", 1);
  EXPECT_EQ(to->dim[1].extent, 1);
  EXPECT_EQ(elementOf<float>(to->base_addr, 0), 9);
  EXPECT_EQ(_FortranACUFAllocatableDeallocate(*to, false, nullptr, "test.cuf", 1), 0);
  EXPECT_EQ(to->base_addr, nullptr);
}

TEST(Reallocation, RightSideMayBePartOfTheLeft) {
  auto source = numbers(10);
  Array from = Array::ofFloats(source.data(), {10}), to = deviceArray({0});
  _FortranACUFDataTransferDescDesc(&to, &from, toDevice, "test.cuf", 1);
  Array tail = to.section({{6, 4, 1}});
  _FortranACUFDataTransferDescDesc(&to, &tail, onDevice, "test.cuf", 1);
  ASSERT_EQ(to->dim[0].extent, 4);
  EXPECT_EQ(elementOf<float>(to->base_addr, 3), 10);
  _FortranACUFAllocatableDeallocate(*to, false, nullptr, "test.cuf", 1);
}

TEST(Reallocation, ZeroSizedIsAllocated) {
  float none = 0;
  Array from = Array::ofFloats(&none, {0}), to = deviceArray({3});
  _FortranACUFDataTransferDescDesc(&to, &from, toDevice, "test.cuf", 1);
  EXPECT_NE(to->base_addr, nullptr);
  EXPECT_EQ(to->dim[0].extent, 0);
  _FortranACUFAllocatableDeallocate(*to, false, nullptr, "test.cuf", 1);
}

using TransferDeath = testing::Test;

void setFirst(Array &onDevice, float value) {
  EXPECT_EQ(api().cudaMemcpy(onDevice->base_addr, &value, sizeof value, hostToDevice), success);
}

TEST(CopyIn, MakesContiguousAndCopiesBack) {
  auto values = numbers(24), before = values;
  Array whole = Array::ofFloats(values.data(), {4, 6});
  Array section = whole.section({{3, 2, -2}, {1, 3, 2}}), copy = Array::ofFloats(nullptr, {1, 1});
  _FortranACUFCopyInAssign(*copy, *section, "test.cuf", 7);
  EXPECT_TRUE(isContiguous(sectionOf(*copy)));
  std::vector<char> copied(sectionOf(*copy).bytes());
  EXPECT_EQ(api().cudaMemcpy(copied.data(), copy->base_addr, copied.size(), deviceToHost), success);
  EXPECT_EQ(copied, gather(sectionOf(*section)));
  setFirst(copy, -1); // a(4, 2)
  _FortranACUFCopyOutAssign(&section, *copy, "test.cuf", 8);
  before[7] = -1;
  EXPECT_EQ(values, before);
  EXPECT_EQ(copy->base_addr, nullptr);
}

TEST(CopyIn, IntentInIsNotCopiedBack) {
  auto values = numbers(10), before = values;
  Array section = Array::ofFloats(values.data(), {10}).section({{0, 5, 2}});
  Array copy = Array::ofFloats(nullptr, {1});
  size_t free = 0, freed = 0, total = 0;
  api().cudaMemGetInfo(&free, &total);
  _FortranACUFCopyInAssign(*copy, *section, "test.cuf", 7);
  setFirst(copy, -1);
  _FortranACUFCopyOutAssign(nullptr, *copy, "test.cuf", 8);
  api().cudaMemGetInfo(&freed, &total);
  EXPECT_EQ(values, before);
  EXPECT_EQ(freed, free);
}

TEST(TransferDeath, NamesThePlace) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  auto source = numbers(10);
  Array from = Array::ofFloats(source.data(), {9}), to = Array::ofFloats(source.data(), {10});
  EXPECT_EXIT(transfer(to, from), testing::ExitedWithCode(1),
              "test.cuf:7: dimension 1 has 10 elements on the left of the assignment and 9 on the "
              "right");
  Array unallocated = deviceArray({10});
  EXPECT_EXIT(transfer(unallocated, from), testing::ExitedWithCode(1),
              "test.cuf:7: the left side of the assignment is not allocated");
  Array absent = deviceArray({0});
  EXPECT_EXIT(transfer(from, absent), testing::ExitedWithCode(1),
              "test.cuf:7: the right side of the assignment is not allocated");
  EXPECT_EXIT(_FortranACUFDataTransferPtrPtr(nullptr, &source[0], 4, toDevice, "a.cuf", 3),
              testing::ExitedWithCode(1),
              "a.cuf:3: copying 4 bytes from host to device failed with cudaErrorInvalidValue");
}

} // namespace
