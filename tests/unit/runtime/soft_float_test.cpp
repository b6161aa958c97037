// Arithmetic in integers against the processor's, in all roundings: operands with random bits, so
// that subnormal numbers, ties, overflow and cancellation occur.
#include "host/soft_float.h"

#include <gtest/gtest.h>

#include <cfenv>
#include <cmath>
#include <random>

using namespace cufrt::host;

namespace {

constexpr std::pair<Rounding, int> modes[] = {{Rounding::Nearest, FE_TONEAREST},
                                              {Rounding::Zero, FE_TOWARDZERO},
                                              {Rounding::Up, FE_UPWARD},
                                              {Rounding::Down, FE_DOWNWARD}};

// Runs `operation` of the processor in a rounding mode. The operands are volatile, so that nothing
// is computed outside.
template <typename Real, typename Operation>
Real inMode(int mode, Operation operation, Real x, Real y, Real z) {
  volatile Real a = x, b = y, c = z;
  std::fesetround(mode);
  volatile Real result = operation(a, b, c);
  std::fesetround(FE_TONEAREST);
  return result;
}

template <typename Real>
class SoftFloat : public testing::Test {
protected:
  using Bits = typename Format<Real>::Bits;

  // Exponents close to each other half of the time, few bits some of the time.
  Real next() {
    auto bits = static_cast<Bits>(random());
    if (random() % 4 == 0)
      bits &= ~((Bits{1} << (Format<Real>::fraction - 3)) - 1);
    if (random() % 2 == 0)
      bits = (bits & ~Format<Real>::infinity) |
             (static_cast<Bits>(Format<Real>::bias - 4 + random() % 8) << Format<Real>::fraction);
    if (random() % 8 == 0)
      bits &= ~Format<Real>::infinity;
    auto x = std::bit_cast<Real>(bits);
    return isFinite(x) ? x : Real{0};
  }

  template <typename Soft, typename Hard>
  void compare(Soft soft, Hard hard) {
    for (int i = 0; i < 20000; ++i) {
      Real x = next(), y = next(), z = next();
      for (auto [rounding, mode] : modes) {
        Real want = inMode<Real>(mode, hard, x, y, z);
        if (!isFinite(want) && y == 0)
          continue;
        Real got = round<Real>(soft(unpack(x), unpack(y), unpack(z), rounding), rounding);
        ASSERT_EQ(std::bit_cast<Bits>(got), std::bit_cast<Bits>(want))
            << std::hexfloat << x << ' ' << y << ' ' << z << " mode " << mode << ": " << got
            << " instead of " << want;
      }
    }
  }

  std::mt19937_64 random{2024};
};

using Reals = testing::Types<float, double>;
TYPED_TEST_SUITE(SoftFloat, Reals);

TYPED_TEST(SoftFloat, Adds) {
  using R = TypeParam;
  this->compare([](Exact x, Exact y, Exact, Rounding mode) { return add(x, y, mode); },
                [](R x, R y, R) { return x + y; });
}

TYPED_TEST(SoftFloat, Multiplies) {
  using R = TypeParam;
  this->compare([](Exact x, Exact y, Exact, Rounding) { return multiply(x, y); },
                [](R x, R y, R) { return x * y; });
}

TYPED_TEST(SoftFloat, MultipliesAndAdds) {
  using R = TypeParam;
  this->compare(
      [](Exact x, Exact y, Exact z, Rounding mode) { return add(multiply(x, y), z, mode); },
      [](R x, R y, R z) { return std::fma(x, y, z); });
}

TYPED_TEST(SoftFloat, Divides) {
  using R = TypeParam;
  this->compare(
      [](Exact x, Exact y, Exact, Rounding) { return y.significand == 0 ? Exact{} : divide(x, y); },
      [](R x, R y, R) { return y == 0 ? R{0} : x / y; });
}

TYPED_TEST(SoftFloat, TakesRoots) {
  using R = TypeParam;
  this->compare(
      [](Exact x, Exact, Exact, Rounding) {
        x.negative = false;
        return squareRoot(x);
      },
      [](R x, R, R) { return std::sqrt(std::fabs(x)); });
}

TEST(SoftFloatConversion, NarrowsAsTheProcessor) {
  std::mt19937_64 random{7};
  for (int i = 0; i < 100000; ++i) {
    uint64_t bits = random();
    if (i % 2)
      bits = (bits & ~Format<double>::infinity) | (uint64_t{1023 - 160 + random() % 300} << 52);
    auto x = std::bit_cast<double>(bits);
    if (!isFinite(x))
      continue;
    for (auto [rounding, mode] : modes) {
      volatile double operand = x;
      std::fesetround(mode);
      volatile float want = static_cast<float>(operand);
      std::fesetround(FE_TONEAREST);
      auto got = round<float>(unpack(x), rounding);
      ASSERT_EQ(std::bit_cast<uint32_t>(got), std::bit_cast<uint32_t>(float{want})) << x;
    }
  }
}

} // namespace
