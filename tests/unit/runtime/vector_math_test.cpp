// The functions of runtime/math beside the C library's, bit by bit, for all lengths of vectors that
// this processor has: numbers of all sizes, special ones among them, and ranges where programs use
// the functions.
#include "vector_math_calls.h"

#include <gtest/gtest.h>

#if defined(__x86_64__) && defined(__clang__)
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <gnu/libc-version.h>
#include <limits>
#include <random>
#include <string_view>
#include <type_traits>
#include <vector>

namespace {

template <typename Real>
using One = void (*)(const Real *x, Real *y);
template <typename Real>
using Two = void (*)(const Real *x, const Real *z, Real *y);

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
      return within(random() % 2 ? 1000 : 100);
    case 6:
      return within(1) * std::ldexp(Real(1), -static_cast<int>(random() % 40));
    default:
      return within(random() % 2 ? 4 : 1);
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
  Real x[mostLanes], z[mostLanes], y[mostLanes];
  for (int round = 0; round < rounds; ++round) {
    for (int i = 0; i < lanes; ++i) {
      x[i] = round % 2 ? std::fabs(numbers.next()) : numbers.next();
      z[i] = round % 4 < 2 ? numbers.within(10) : numbers.next();
      if (round % 8 == 7)
        z[i] = std::round(z[i]);
    }
    function(x, z, y);
    for (int i = 0; i < lanes; ++i)
      ASSERT_PRED2(isSame<Real>, y[i], library(x[i], z[i]))
          << name << " of " << x[i] << " and " << z[i] << ", lane " << i << " of " << lanes
          << ", level " << level;
  }
}

// Of these the steps of the C library have not changed for long; those of others differ from one
// version to the next, and are those of 2.36 as Debian 12 has it.
bool isLasting(std::string_view function) {
  constexpr std::string_view lasting[] = {"exp", "log", "sin", "cos", "pow"};
  return std::ranges::find(lasting, function) != std::end(lasting);
}

#define COMPARE(function, real, lanes, level)                                                      \
  compare<real>(#function, lanes, level, call_##function##lanes##_v##level, ::function);
#define COMPARE_CALLS(function)                                                                    \
  TEST(VectorMath, function) {                                                                     \
    if (!isLasting(#function) && std::string_view(gnu_get_libc_version()) != "2.36")               \
      GTEST_SKIP() << "the C library is " << gnu_get_libc_version();                               \
    CUFRT_MATH_CALLS(COMPARE, function##f, function)                                               \
  }

CUFRT_MATH_FUNCTIONS(COMPARE_CALLS)
CUFRT_MATH_FUNCTIONS_OF_TWO(COMPARE_CALLS)

} // namespace
#endif
