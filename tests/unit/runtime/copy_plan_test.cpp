// How many calls of the device a copy takes, and of which kind. Whether they copy the right bytes
// is transfer_test.cpp's matter.
#include "core/copy_plan.h"
#include "descriptors.h"

#include <gtest/gtest.h>

using namespace cufrt;

namespace {

constexpr auto toDevice = Direction::hostToDevice;

// Nothing is read or written here, so the arrays have addresses and no memory.
Array arrayAt(uintptr_t address, std::vector<int64_t> extents, size_t elementBytes = 4) {
  return Array(reinterpret_cast<void *>(address), CFI_type_struct, elementBytes,
               std::move(extents));
}

Array onDevice(std::vector<int64_t> extents) { return arrayAt(uintptr_t{1} << 40, extents); }
Array onHost(std::vector<int64_t> extents) { return arrayAt(uintptr_t{1} << 30, extents); }

std::string planOf(Array to, Array from, Direction direction) {
  CopyPlan plan = planCopy(makeWalk(sectionOf(*to), sectionOf(*from)), direction);
  if (plan.packed)
    return "packed";
  const char *call = plan.slice >= 0 ? "3D" : plan.row >= 0 ? "2D" : "1D";
  return std::to_string(plan.calls) + " x " + call;
}

TEST(CopyPlan, WholeArraysTakeOneCopy) {
  EXPECT_EQ(planOf(onDevice({100}), onHost({100}), toDevice), "1 x 1D");
  EXPECT_EQ(planOf(onDevice({10, 20, 30}), onHost({10, 20, 30}), toDevice), "1 x 1D");
}

TEST(CopyPlan, WholeColumnsTakeOneCopy) {
  Array to = onDevice({10, 20}).section({{0, 10, 1}, {5, 7, 1}});
  EXPECT_EQ(planOf(to, onHost({10, 7}), toDevice), "1 x 1D");
}

TEST(CopyPlan, CornerOfAMatrixTakesOne2DCopy) {
  Array to = onDevice({100, 20}).section({{0, 60, 1}, {0, 7, 1}});
  Array from = onHost({80, 50}).section({{3, 60, 1}, {1, 7, 1}});
  EXPECT_EQ(planOf(to, from, toDevice), "1 x 2D");
  EXPECT_EQ(planOf(to, from, Direction::deviceToHost), "1 x 2D");
  EXPECT_EQ(planOf(to, from, Direction::deviceToDevice), "1 x 2D");
}

TEST(CopyPlan, BlockTakesOne3DCopy) {
  Array to = onDevice({100, 20, 30}).section({{0, 60, 1}, {0, 7, 1}, {4, 5, 1}});
  Array from = onHost({80, 50, 5}).section({{3, 60, 1}, {1, 7, 1}, {0, 5, 1}});
  EXPECT_EQ(planOf(to, from, toDevice), "1 x 3D");
  EXPECT_EQ(planOf(to, from, Direction::deviceToHost), "1 x 3D");
}

TEST(CopyPlan, PlaneOfABlockTakesOne2DCopy) {
  Array to = onDevice({100, 20, 30}).section({{0, 100, 1}, {3, 1, 1}, {0, 30, 1}});
  EXPECT_EQ(planOf(to, onHost({100, 1, 30}), toDevice), "1 x 2D");
}

TEST(CopyPlan, FourDimensionsTakeOne3DCopyForEachIndexOfTheShortestLoop) {
  Array to = onDevice({1000, 90, 30, 4}).section({{0, 900, 1}, {0, 80, 1}, {0, 20, 1}, {0, 3, 1}});
  Array from = onHost({950, 85, 25, 4}).section({{0, 900, 1}, {0, 80, 1}, {0, 20, 1}, {0, 3, 1}});
  EXPECT_EQ(planOf(to, from, toDevice), "3 x 3D");
}

// Every second row of a matrix with an odd number of rows: a slice is no whole number of such rows.
TEST(CopyPlan, SlicesThatAreNoWholeNumberOfRowsTake2DCopies) {
  Array to = onDevice({100, 9, 4}).section({{0, 60, 1}, {0, 5, 2}, {0, 4, 1}});
  EXPECT_EQ(planOf(to, onHost({60, 5, 4}), toDevice), "4 x 2D");
}

TEST(CopyPlan, StrideOnTheDeviceAloneTakesOne2DCopy) {
  Array to = onDevice({100}).section({{0, 50, 2}});
  EXPECT_EQ(planOf(to, onHost({50}), toDevice), "1 x 2D");
}

TEST(CopyPlan, NarrowRowsOfTheHostArePacked) {
  Array from = onHost({100}).section({{0, 50, 2}});
  EXPECT_EQ(planOf(onDevice({50}), from, toDevice), "packed");
}

TEST(CopyPlan, ManySmallCallsArePacked) {
  Array from = onHost({100, 9, 1000}).section({{0, 60, 1}, {0, 3, 3}, {0, 60, 2}});
  Array to = onDevice({99, 13, 500}).section({{0, 60, 1}, {0, 3, 5}, {0, 60, 1}});
  EXPECT_EQ(planOf(to, from, toDevice), "packed");
}

TEST(CopyPlan, BackwardsIsPacked) {
  Array from = onHost({100}).section({{99, 100, -1}});
  EXPECT_EQ(planOf(onDevice({100}), from, toDevice), "packed");
}

} // namespace
