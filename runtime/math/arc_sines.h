// Arc sines and cosines. For single precision as fdlibm has them, though the polynomial of the arc
// sine is Moshier's; for double as arc_tangents.h has its functions.
#ifndef CUFRT_MATH_ARC_SINES_H
#define CUFRT_MATH_ARC_SINES_H

#include "math/arc_tables.h"
#include "math/pairs.h"

namespace {

// sqrt(1 - x**2), for |x| < 1.
template <int N>
Pair<N> cosineOfArcSine(Doubles<N> x) {
  Doubles<N> square = x * x, squareLow = fused<N>(x, x, -square);
  Pair<N> rest = sumOf<N>(Doubles<N>(1), -square);
  rest = sumOf<N>(rest.high, rest.low - squareLow);
  Doubles<N> root = __builtin_elementwise_sqrt(rest.high);
  Doubles<N> missing = fused<N>(-root, root, rest.high) + rest.low;
  return {root, missing * (0.5 / root)};
}

// The lesser of |x| and its cosine in that sense, then the other; isSteep where the former is the
// cosine.
template <int N>
struct Legs {
  Pair<N> lesser, larger;
  Longs<N> isSteep;
};

template <int N>
Legs<N> legsOf(Doubles<N> size) {
  constexpr double steepFrom = 0x1.6a09e6p-1; // sqrt(1/2)
  Pair<N> cosine = cosineOfArcSine<N>(size);
  Longs<N> isSteep = size > steepFrom;
  Doubles<N> zero = 0;
  return {{isSteep ? cosine.high : size, isSteep ? cosine.low : zero},
          {isSteep ? size : cosine.high, isSteep ? zero : cosine.low},
          isSteep};
}

// base + sign * arcsin(a), b being the cosine of that, a <= b, by the sine of what is left of it
// beside the angle whose sine is the nearest multiple of 1/64.
template <int N>
Pair<N> arcSine(Pair<N> a, Pair<N> b, Pair<N> base, Doubles<N> sign) {
  constexpr double shift = 0x1.8p46;
  constexpr int64_t wholes = 0x3f;
  Doubles<N> shifted = a.high + shift, sine = shifted - shift;
  Columns<N, 4> row = rowsAt<N>(arcSines, bitsOf<N>(shifted) & wholes);
  auto &[nearest, nearestLow, cosine, cosineLow] = row.of;
  Doubles<N> first = a.high * cosine, second = b.high * sine, w = first - second;
  Doubles<N> low = fused<N>(a.high, cosine, -first) - fused<N>(b.high, sine, -second);
  low +=
      (first - (w + second)) + fused<N>(-b.low, sine, fused<N>(a.low, cosine, a.high * cosineLow));
  Doubles<N> w2 = w * w;
  Doubles<N> p = fused<N>(w2, 0x1.f1c71c71c71c7p-6, Doubles<N>(0x1.6db6db6db6db7p-5));
  p = fused<N>(w2, p, Doubles<N>(0x1.3333333333333p-4));
  p = fused<N>(w2, p, Doubles<N>(0x1.5555555555555p-3));
  return angleOf<N>(base, sign, nearest, w, fused<N>(w * w2, p, low + nearestLow));
}

constexpr double coarseFrom = 0.84; // where the library's errors are larger

template <int N>
Doubles<N> asinOf(Doubles<N> x) {
  constexpr double smallBelow = 0x1p-4, nearBelow = 0.125;
  Doubles<N> size = magnitude<N>(x), one = 1, zero = 0;
  Longs<N> special = ~(size < 1);
  size = harmless(size, special, zero);
  Legs<N> legs = legsOf<N>(size);
  Pair<N> base = {legs.isSteep ? piHigh / 2 : zero, legs.isSteep ? piLow / 2 : zero};
  Pair<N> angle = arcSine<N>(legs.lesser, legs.larger, base, legs.isSteep ? -one : one);
  Doubles<N> small = size * size * size * 0x1p-48, most = 0x1.6p-65 + zero;
  small = small < most ? small : most;
  Doubles<N> error = size < coarseFrom ? 0x1.5p-61 + zero : 0x1.4p-60 + zero;
  error = size < smallBelow ? small : size < nearBelow ? 0x1.bp-63 + zero : error;
  Doubles<N> result = withSignOf<N>(angle.high + angle.low, x);
  special |= isUncertain<N>(angle, error);
  return isAny(special) ? whereSpecial(x, result, special, static_cast<double (*)(double)>(asin))
                        : result;
}

template <int N>
Doubles<N> acosOf(Doubles<N> x) {
  constexpr double relativeFrom = 0.96875;
  Doubles<N> size = magnitude<N>(x), one = 1, zero = 0;
  Longs<N> special = ~(size < 1), isLeft = x < 0;
  size = harmless(size, special, zero);
  Legs<N> legs = legsOf<N>(size);
  Pair<N> base = {legs.isSteep ? (isLeft ? piHigh + zero : zero) : piHigh / 2,
                  legs.isSteep ? (isLeft ? piLow + zero : zero) : piLow / 2};
  Doubles<N> sign = (legs.isSteep ^ isLeft) ? one : -one;
  Pair<N> angle = arcSine<N>(legs.lesser, legs.larger, base, sign);
  Doubles<N> error = size < coarseFrom ? 0x1.9p-61 + zero : 0x1.cp-60 + zero;
  error = x > relativeFrom ? angle.high * 0x1.2p-59 : error;
  Doubles<N> result = angle.high + angle.low;
  special |= isUncertain<N>(angle, error);
  return isAny(special) ? whereSpecial(x, result, special, static_cast<double (*)(double)>(acos))
                        : result;
}

// A number of few digits near a root, and what is missing of that, as a quotient.
template <int N>
struct SplitRoot {
  Floats<N> root, high, low;
};

template <int N>
SplitRoot<N> splitRoot(Floats<N> x) {
  constexpr int32_t digits = -0x1000;
  Floats<N> root = __builtin_elementwise_sqrt(x);
  Floats<N> high = numbersOf<N>(bitsOf<N>(root) & digits), sum = root + high;
  return {root, high, (x - high * high) / harmless(sum, sum == 0, Floats<N>(1))};
}

template <int N>
Floats<N> asinOf(Floats<N> x) {
  constexpr float nearBelow = 0.5F, topFrom = 0x1.f33334p-1F;
  constexpr float right = 0x1.921fb6p+0F, rightLow = -0x1.777a5cp-25F, quarter = 0x1.921fb6p-1F;
  Floats<N> size = magnitude<N>(x);
  Ints<N> special = ~(size <= 1), isNear = size < nearBelow;
  size = harmless(size, special, Floats<N>(0));
  Floats<N> t = isNear ? size * size : (1 - size) * 0.5F;
  Floats<N> p = t * 0x1.596d28p-5F + 0x1.8c283cp-6F;
  p = t * p + 0x1.747e4ap-5F;
  p = t * p + 0x1.3301e4p-4F;
  p = t * (t * p + 0x1.5555c8p-3F);
  SplitRoot<N> s = splitRoot<N>(t);
  Floats<N> top = right - (2 * (s.root + s.root * p) - rightLow);
  Floats<N> rest = 2 * s.root * p - (rightLow - 2 * s.low);
  Floats<N> middle = quarter - (rest - (quarter - 2 * s.high));
  Floats<N> result = size >= topFrom ? top : middle;
  result = withSignOf<N>(isNear ? size + size * p : result, x);
  return isAny(special) ? whereSpecial(x, result, special, asinf) : result;
}

template <int N>
Floats<N> acosOf(Floats<N> x) {
  constexpr float tiny = 0x1p-26F, nearBelow = 0.5F, pi = 0x1.921fb4p+1F;
  constexpr float right = 0x1.921fb4p+0F, rightLow = 0x1.4442dp-24F;
  Floats<N> size = magnitude<N>(x);
  Ints<N> special = ~(size <= 1), isNear = size < nearBelow;
  size = harmless(size, special, Floats<N>(0));
  Floats<N> z = isNear ? size * size : (1 - size) * 0.5F;
  Floats<N> p = z * 0x1.23de1p-15F + 0x1.9efe08p-11F;
  p = z * p + -0x1.48228cp-5F;
  p = z * p + 0x1.9c155p-3F;
  p = z * p + -0x1.4d612p-2F;
  p = z * (z * p + 0x1.555556p-3F);
  Floats<N> q = z * 0x1.3b8c5cp-4F + -0x1.6066c2p-1F;
  q = z * q + 0x1.02ae5ap+1F;
  q = z * (z * q + -0x1.33a272p+1F) + 1;
  Floats<N> ratio = p / q;
  SplitRoot<N> s = splitRoot<N>(z);
  Floats<N> left = pi - 2 * (s.root + (ratio * s.root - rightLow));
  Floats<N> result = x < 0 ? left : 2 * (s.high + (ratio * s.root + s.low));
  Floats<N> near = right - (x - (rightLow - x * ratio));
  result = isNear ? (size <= tiny ? Floats<N>(right + rightLow) : near) : result;
  return isAny(special) ? whereSpecial(x, result, special, acosf) : result;
}

} // namespace
#endif // CUFRT_MATH_ARC_SINES_H
