// Floating-point arithmetic in integers, with any of the four roundings. The host device computes
// the procedures with a rounding in their name by it: nothing depends on the rounding mode of the
// processor, which the optimiser of the host's compiler takes to be the default.
//
// A value is ±significand * 2**exponent with room to spare (`Exact`). An operation either is exact
// or ends in a significand whose lowest bit is "sticky": set if anything was lost below it. As long
// as that bit lies below the half of the last place, `round` gets every rounding right.
#ifndef CUFRT_HOST_SOFT_FLOAT_H
#define CUFRT_HOST_SOFT_FLOAT_H

#include <bit>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace cufrt::host {

enum class Rounding { Nearest, Zero, Up, Down };

__extension__ using Wide = unsigned __int128;

// The encoding of an IEEE 754 format: bits of the fraction and the exponent's bias.
template <typename Real>
struct Format {
  using Bits = std::conditional_t<sizeof(Real) == 8, uint64_t, uint32_t>;
  static constexpr int fraction = sizeof(Real) == 8 ? 52 : 23;
  static constexpr int bias = sizeof(Real) == 8 ? 1023 : 127;
  static constexpr Bits infinity = Bits{2 * bias + 1} << fraction;
  static constexpr Bits sign = Bits{1} << (8 * sizeof(Real) - 1);
};

struct Exact {
  bool negative = false;
  int exponent = 0;
  Wide significand = 0;
};

inline int topBit(Wide value) {
  auto high = static_cast<uint64_t>(value >> 64);
  return high ? 127 - std::countl_zero(high) : 63 - std::countl_zero(static_cast<uint64_t>(value));
}

// Shifts to the right; what falls out is kept in the lowest bit.
inline Wide shiftSticky(Wide value, int count) {
  if (count <= 0)
    return value;
  if (count > 127)
    return value != 0;
  Wide lost = value & ((Wide{1} << count) - 1);
  return value >> count | (lost != 0 ? 1u : 0u);
}

template <typename Real>
bool isFinite(Real x) {
  using F = Format<Real>;
  return (std::bit_cast<typename F::Bits>(x) & F::infinity) != F::infinity;
}

template <typename Real>
Exact unpack(Real x) {
  using F = Format<Real>;
  auto bits = std::bit_cast<typename F::Bits>(x);
  int field = static_cast<int>((bits & F::infinity) >> F::fraction);
  Wide fraction = bits & ((typename F::Bits{1} << F::fraction) - 1);
  Exact value{(bits & F::sign) != 0, 1 - F::bias - F::fraction, fraction};
  if (field != 0) {
    value.significand |= Wide{1} << F::fraction;
    value.exponent += field - 1;
  }
  return value;
}

// Whether a value between two neighbours goes to the one of larger magnitude. `rest` is the part
// lost in units of which `half` are half a place.
inline bool roundsAway(Rounding mode, bool negative, bool odd, Wide rest, Wide half) {
  switch (mode) {
  case Rounding::Nearest:
    return rest > half || (rest == half && odd);
  case Rounding::Zero:
    return false;
  case Rounding::Up:
    return rest != 0 && !negative;
  case Rounding::Down:
    return rest != 0 && negative;
  }
  return false;
}

// An integral number of units 2**`unit`, and the value's rest dealt with.
inline Wide roundToUnit(const Exact &value, int unit, Rounding mode) {
  int shift = unit - value.exponent;
  if (shift <= 0)
    return value.significand << -shift;
  // Two bits below the unit are enough to tell where the rest lies.
  Wide scaled =
      shift > 2 ? shiftSticky(value.significand, shift - 2) : value.significand << (2 - shift);
  Wide kept = scaled >> 2;
  return kept + (roundsAway(mode, value.negative, kept & 1, scaled & 3, 2) ? 1u : 0u);
}

template <typename Real>
Real round(const Exact &value, Rounding mode) {
  using F = Format<Real>;
  using Bits = typename F::Bits;
  Bits sign = value.negative ? F::sign : 0;
  if (value.significand == 0)
    return std::bit_cast<Real>(sign);
  constexpr int lowest = 1 - F::bias - F::fraction; // exponent of the smallest subnormal number
  int unit = topBit(value.significand) + value.exponent - F::fraction;
  unit = unit < lowest ? lowest : unit;
  Bits bits = F::infinity;
  // The leading bit of a normal number counts as one in the exponent's field, and so does a carry.
  if (unit - lowest < 2 * F::bias)
    bits = (static_cast<Bits>(unit - lowest) << F::fraction) +
           static_cast<Bits>(roundToUnit(value, unit, mode));
  if (bits >= F::infinity) {
    bool toInfinity =
        mode == Rounding::Nearest || mode == (value.negative ? Rounding::Down : Rounding::Up);
    bits = F::infinity - (toInfinity ? 0 : 1);
  }
  return std::bit_cast<Real>(bits | sign);
}

// The leading bit goes to `place`.
inline Exact normalised(Exact value, int place) {
  int shift = place - topBit(value.significand);
  value.significand =
      shift >= 0 ? value.significand << shift : shiftSticky(value.significand, -shift);
  value.exponent -= shift;
  return value;
}

// Sum of values with at most 106 bits. An exact zero is negative only for rounding down, unless
// both are zeros of one sign (IEEE 754, 6.3).
inline Exact add(Exact a, Exact b, Rounding mode) {
  bool zeroSign = mode == Rounding::Down;
  if (a.significand == 0 && b.significand == 0)
    return {a.negative == b.negative ? a.negative : zeroSign, 0, 0};
  if (a.significand == 0)
    return b;
  if (b.significand == 0)
    return a;
  a = normalised(a, 125);
  b = normalised(b, 125);
  if (a.exponent < b.exponent)
    std::swap(a, b);
  Wide smaller = shiftSticky(b.significand, a.exponent - b.exponent);
  if (a.negative == b.negative)
    return {a.negative, a.exponent, a.significand + smaller};
  if (a.significand == smaller)
    return {zeroSign, 0, 0};
  if (a.significand > smaller)
    return {a.negative, a.exponent, a.significand - smaller};
  return {b.negative, a.exponent, smaller - a.significand};
}

inline Exact multiply(const Exact &a, const Exact &b) {
  return {a.negative != b.negative, a.exponent + b.exponent, a.significand * b.significand};
}

// Quotient of values with at most 53 bits, `b` not zero, to 63 bits and a sticky one.
inline Exact divide(Exact a, Exact b) {
  bool negative = a.negative != b.negative;
  if (a.significand == 0)
    return {negative, 0, 0};
  a = normalised(a, 127);
  b = normalised(b, 62);
  Wide quotient = a.significand / b.significand;
  bool inexact = a.significand % b.significand != 0;
  return {negative, a.exponent - b.exponent, quotient | (inexact ? 1u : 0u)};
}

// Square root of a value that is not negative, with at most 53 bits, to 62 bits and a sticky one.
inline Exact squareRoot(Exact a) {
  if (a.significand == 0)
    return a;
  a = normalised(a, 124);
  if (a.exponent % 2 != 0)
    a = normalised(a, 125);
  Wide root = 0;
  for (int bit = 62; bit >= 0; --bit) {
    Wide trial = root | Wide{1} << bit;
    if (trial * trial <= a.significand)
      root = trial;
  }
  bool inexact = root * root != a.significand;
  return {false, a.exponent / 2 - 1, root << 1 | (inexact ? 1u : 0u)};
}

} // namespace cufrt::host

#endif // CUFRT_HOST_SOFT_FLOAT_H
