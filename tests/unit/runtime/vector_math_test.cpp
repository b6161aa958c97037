// The functions of runtime/math beside the C library's, bit by bit, for all lengths of vectors that
// this processor has: numbers of all sizes, special ones among them, and ranges where programs use
// the functions.
#include "vector_math_calls.h"

#include <gtest/gtest.h>

#if defined(__x86_64__) && defined(__clang__)
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

namespace {

template <typename Real>
using One = void (*)(const Real *x, Real *y);
template <typename Real>
using Two = void (*)(const Real *x, const Real *power, Real *y);

bool hasLevel(int level) {
  return level == 3 ? __builtin_cpu_supports("x86-64-v3") : __builtin_cpu_supports("x86-64-v4");
}

template <typename Real>
bool isSame(Real x, Real y) {
  return (std::isnan(x) && std::isnan(y)) || std::memcmp(&x, &y, sizeof x) == 0;
}

template <typename Real>
struct Numbers {
  using Bits = std::conditional_t<sizeof(Real) == 4, uint32_t, uint64_t>;
  std::mt19937_64 random{20};
  std::vector<Real> special = {0,
                               1,
                               -1,
                               2,
                               Real(0.5),
                               std::numeric_limits<Real>::infinity(),
                               std::numeric_limits<Real>::quiet_NaN(),
                               std::numeric_limits<Real>::max(),
                               std::numeric_limits<Real>::min(),
                               std::numeric_limits<Real>::denorm_min()};

  Real within(Real bound) { return std::uniform_real_distribution<Real>(-bound, bound)(random); }
  Real next() {
    switch (random() % 8) {
    case 0:
    case 1: {
      auto bits = static_cast<Bits>(random());
      return std::bit_cast<Real>(bits);
    }
    case 2: {
      Real x = special[random() % special.size()];
      return random() % 2 ? x : -x;
    }
    case 3:
      return within(1e5);
    case 4:
      return 1 + within(Real(0.1));
    case 5:
      return within(1000);
    case 6:
      return within(100);
    default:
      return within(4);
    }
  }
};

constexpr int rounds = 40000;
constexpr int mostLanes = 16;

template <typename Real>
void compare(const char *name, int lanes, int level, One<Real> function, Real (*library)(Real)) {
  if (!hasLevel(level))
    return;
  Numbers<Real> numbers;
  Real x[mostLanes], y[mostLanes];
  for (int round = 0; round < rounds; ++round) {
    for (int i = 0; i < lanes; ++i)
      x[i] = numbers.next();
    function(x, y);
    for (int i = 0; i < lanes; ++i)
      ASSERT_PRED2(isSame<Real>, y[i], library(x[i]))
          << name << " of " << x[i] << ", lane " << i << " of " << lanes << ", level " << level;
  }
}

template <typename Real>
void compare(const char *name, int lanes, int level, Two<Real> function,
             Real (*library)(Real, Real)) {
  if (!hasLevel(level))
    return;
  Numbers<Real> numbers;
  Real x[mostLanes], power[mostLanes], y[mostLanes];
  for (int round = 0; round < rounds; ++round) {
    for (int i = 0; i < lanes; ++i) {
      x[i] = round % 2 ? std::fabs(numbers.next()) : numbers.next();
      power[i] = round % 4 < 2 ? numbers.within(10) : numbers.next();
      if (round % 8 == 7)
        power[i] = std::round(power[i]);
    }
    function(x, power, y);
    for (int i = 0; i < lanes; ++i)
      ASSERT_PRED2(isSame<Real>, y[i], library(x[i], power[i]))
          << name << " of " << x[i] << " and " << power[i] << ", lane " << i << " of " << lanes
          << ", level " << level;
  }
}

#define CALL_OF_ONE(function, real, lanes, level)                                                  \
  compare<real>(#function, lanes, level, call_##function##lanes##_v##level, ::function);
#define CALL_OF_TWO(function, real, lanes, level) CALL_OF_ONE(function, real, lanes, level)

TEST(VectorMath, Exponentials){CUFRT_MATH_CALLS(CALL_OF_ONE, expf, exp)} TEST(VectorMath,
                                                                              Logarithms){
    CUFRT_MATH_CALLS(CALL_OF_ONE, logf, log)} TEST(VectorMath, Sines){
    CUFRT_MATH_CALLS(CALL_OF_ONE, sinf, sin)} TEST(VectorMath, Cosines){
    CUFRT_MATH_CALLS(CALL_OF_ONE, cosf, cos)} TEST(VectorMath, Powers) {
  CUFRT_MATH_CALLS(CALL_OF_TWO, powf, pow)
}

} // namespace
#endif
