// Arrays that cuda-gdb knows without bounds, by the words that the compiler keeps beside them.
#include "debug/device_arrays.h"
#include <gtest/gtest.h>

namespace cufc::debug {
namespace {

// A real array (0:2, 5) with a column of room between its columns, and an integer one (4).
std::optional<ArrayShape> known(const std::string &name) {
  if (name == "z")
    return shapeFrom("(140720308486144, 4, 71331087, 0, 3, 4, 1, 5, 24)");
  if (name == "next")
    return shapeFrom("(4096, 4, 0, 1, 4, 4)");
  return std::nullopt;
}

TEST(DeviceArrays, ReadsShapes) {
  std::optional<ArrayShape> z = known("z");
  ASSERT_TRUE(z);
  EXPECT_EQ(z->dimensions[0].lower, 0);
  EXPECT_EQ(z->dimensions[0].upper, 2);
  EXPECT_EQ(z->distances, (std::vector<int64_t>{1, 6}));
  EXPECT_EQ(shownBounds(*z), "(0:2,5)");
  EXPECT_FALSE(shapeFrom("(0, 0, 0, 0, 0, 0)"));    // before the declaration
  EXPECT_FALSE(shapeFrom("(16, 12, 0, 1, 3, 16)")); // neighbours with gaps that are no elements
  EXPECT_FALSE(shapeFrom("No symbol \"_Qshape_z\" in current context."));
  EXPECT_EQ(shownBounds(*shapeFrom("(16, 4, 0, 1, -3, 4)")), "(0)");
}

TEST(DeviceArrays, SubscriptsElementsByTheirPlaces) {
  EXPECT_EQ(withPlaces("z(1,2)", known), "z(1+((1)-(0))*(1)+((2)-(1))*(6))");
  EXPECT_EQ(withPlaces("Z(next(i), 2)%x + z0", known),
            "z(1+((next(1+((i)-(1))*(1)))-(0))*(1)+(( 2)-(1))*(6))%x + z0");
  EXPECT_EQ(withPlaces("p%z(1,2)", known), "p%z(1,2)");
  EXPECT_EQ(withPlaces("'z(1,2)' // w", known), "'z(1,2)' // w");
  EXPECT_EQ(withPlaces("z(1)", known), "z(1)"); // gdb's own subscript
  EXPECT_EQ(withPlaces("z(:,2)", known), "z(:,2)");
  EXPECT_EQ(withPlaces("z(1,2", known), "z(1,2");
}

TEST(DeviceArrays, TakesRangesOfNumbers) {
  Bounds dimension{0, 9};
  EXPECT_EQ(rangeOf(":", dimension)->extent(), 10);
  EXPECT_EQ(rangeOf("3:", dimension)->lower, 3);
  EXPECT_EQ(rangeOf("-1:2", dimension)->extent(), 4);
  EXPECT_FALSE(rangeOf("3", dimension));
  EXPECT_FALSE(rangeOf("i:j", dimension));
}

} // namespace
} // namespace cufc::debug
