// Half-precision conversions against their definition (the nearest number, ties to even) and
// against the processor's.
#include "core/half_precision.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <immintrin.h>
#include <limits>
#include <random>

using namespace cufrt;

namespace {

// By the definition, without what is tested.
double valueOf(unsigned half) {
  const unsigned exponent = half >> 10 & 0x1fU, fraction = half & 0x3ffU;
  const double value = exponent == 0 ? std::ldexp(fraction, -24)
                                     : std::ldexp(1024 + fraction, static_cast<int>(exponent) - 25);
  return (half & 0x8000U) != 0 ? -value : value;
}

TEST(HalfPrecision, NumbersAreKept) {
  for (unsigned half = 0; half < 0x10000; ++half) {
    if ((half & 0x7c00U) == 0x7c00)
      continue;
    EXPECT_EQ(floatOf(static_cast<uint16_t>(half)), valueOf(half));
    EXPECT_EQ(halfOf(valueOf(half)), half);
  }
}

TEST(HalfPrecision, NeighboursAndTies) {
  for (unsigned half = 0; half < 0x7bff; ++half) {
    const double tie = (valueOf(half) + valueOf(half + 1)) / 2; // exact
    const unsigned even = half + (half & 1U);
    EXPECT_EQ(halfOf(tie), even) << half;
    EXPECT_EQ(halfOf(-tie), even | 0x8000U) << half;
    EXPECT_EQ(halfOf(std::nextafter(tie, 0)), half);
    EXPECT_EQ(halfOf(std::nextafter(tie, 1e9)), half + 1);
  }
}

TEST(HalfPrecision, OutOfRange) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(halfOf(65519.999), 0x7bff);
  EXPECT_EQ(halfOf(65520), 0x7c00);
  EXPECT_EQ(halfOf(-1e300), 0xfc00);
  EXPECT_EQ(halfOf(infinity), 0x7c00);
  EXPECT_EQ(halfOf(5e-324), 0);
  EXPECT_EQ(halfOf(0x1p-25), 0);
  EXPECT_EQ(floatOf(0xfc00), -infinity);
  EXPECT_TRUE(std::isnan(floatOf(halfOf(std::numeric_limits<double>::quiet_NaN()))));
}

__attribute__((target("f16c"))) void compareWithProcessor() {
  std::mt19937 random(1);
  for (int i = 0; i < 1'000'000; ++i) {
    const uint32_t bits = static_cast<uint32_t>(random());
    float value;
    std::memcpy(&value, &bits, sizeof value);
    ASSERT_EQ(halfOf(value), _cvtss_sh(value, _MM_FROUND_TO_NEAREST_INT)) << value;
  }
}

TEST(HalfPrecision, AsTheProcessor) {
  if (!__builtin_cpu_supports("f16c"))
    GTEST_SKIP();
  compareWithProcessor();
}

} // namespace
