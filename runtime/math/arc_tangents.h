// Arc tangents. For single precision as fdlibm has them.
//
// The GNU C library's functions of double precision are IBM's, which err by somewhat more than half
// a unit of the last place. Here the exact result is known to 0.0001 units; it gives the library's
// unless it lies as near to the middle between two numbers as the library errs. The library is
// asked in such lanes, a few of a hundred. By how much it errs was measured.
#ifndef CUFRT_MATH_ARC_TANGENTS_H
#define CUFRT_MATH_ARC_TANGENTS_H

#include "math/arc_tables.h"
#include "math/pairs.h"
#include "math/short_tables.h"

namespace {

// base + sign * arctan(a/b), 0 <= a <= b, by the angle whose tangent is the nearest multiple of
// 1/64.
template <int N>
Arc<N> arcTangent(Doubles<N> a, Doubles<N> b, Pair<N> base, Doubles<N> sign) {
  constexpr double shift = 0x1.8p46, small = 0x1p-4;
  constexpr int64_t wholes = 0x7f;
  Doubles<N> ratio = a / b, shifted = ratio + shift, c = shifted - shift;
  Columns<N, 2> row = rowsAt<N>(arcTangents, bitsOf<N>(shifted) & wholes);
  Doubles<N> above = fused<N>(-c, b, a), below = fused<N>(c, a, b); // the former is exact
  Doubles<N> belowLow = fused<N>(c, a, b - below), inverse = 1 / below, t = above * inverse;
  Doubles<N> low = fused<N>(-t, belowLow, fused<N>(-t, below, above)) * inverse, t2 = t * t;
  Doubles<N> p = fused<N>(t2, 0x1.c71c71c71c71cp-4, Doubles<N>(-0x1.2492492492492p-3));
  p = fused<N>(t2, p, Doubles<N>(0x1.999999999999ap-3));
  p = fused<N>(t2, p, Doubles<N>(-0x1.5555555555555p-2));
  low = fused<N>(t * t2, p, low + row.of[1]);
  Pair<N> angle = angleOf<N>(base, sign, row.of[0], t, low);
  Doubles<N> error = ratio < small ? ratio * ratio * ratio * 0x1p-51 : Doubles<N>(0x1.4p-61);
  return {angle, base.high == 0 ? error : Doubles<N>(0x1p-60)};
}

template <int N>
Doubles<N> atanOf(Doubles<N> x) {
  constexpr double largest = 0x1p+70;
  Doubles<N> size = magnitude<N>(x), one = 1, zero = 0;
  size = size > largest ? Doubles<N>(largest) : size;
  Longs<N> isAbove = size > 1;
  Pair<N> base = {isAbove ? piHigh / 2 : zero, isAbove ? piLow / 2 : zero};
  Arc<N> arc =
      arcTangent<N>(isAbove ? one : size, isAbove ? size : one, base, isAbove ? -one : one);
  Doubles<N> result = withSignOf<N>(arc.angle.high + arc.angle.low, x);
  Longs<N> special = isUncertain<N>(arc.angle, arc.error);
  return isAny(special) ? whereSpecial(x, result, special, static_cast<double (*)(double)>(atan))
                        : result;
}

template <int N>
Doubles<N> atan2Of(Doubles<N> y, Doubles<N> x) {
  constexpr double least = 0x1p-400, most = 0x1p+400;
  Doubles<N> width = magnitude<N>(x), height = magnitude<N>(y), zero = 0;
  Longs<N> isSteep = height > width, isLeft = x < 0;
  Doubles<N> a = isSteep ? width : height, b = isSteep ? height : width;
  Longs<N> special = ~((b >= least) & (b <= most) & ((a >= least) | (a == 0)));
  a = harmless(a, special, zero);
  b = harmless(b, special, Doubles<N>(1));
  Pair<N> base = {isSteep  ? piHigh / 2
                  : isLeft ? Doubles<N>(piHigh)
                           : zero,
                  isSteep  ? piLow / 2
                  : isLeft ? Doubles<N>(piLow)
                           : zero};
  Doubles<N> sign = (isSteep ^ isLeft) ? Doubles<N>(-1) : Doubles<N>(1);
  Arc<N> arc = arcTangent<N>(a, b, base, sign);
  Doubles<N> result = withSignOf<N>(arc.angle.high + arc.angle.low, y);
  special |= isUncertain<N>(arc.angle, arc.error);
  return isAny(special)
             ? whereSpecial(y, x, result, special, static_cast<double (*)(double, double)>(atan2))
             : result;
}

// arctan(x) = arctan(p) + arctan((x - p) / (1 + p*x)), of p = 0, 0.5, 1, 1.5 and infinity. The
// quotient is that of u*x + v and w*x + t.
alignas(32) const float quotientU[8] = {1, 2, 1, 1, 0}, quotientV[8] = {0, -1, -1, -1.5F, -1},
                        quotientW[8] = {0, 1, 1, 1.5F, 1}, quotientT[8] = {1, 2, 1, 1, 0};
alignas(32) const
    float nearAngles[8] = {0, 0x1.dac67p-2F, 0x1.921fb4p-1F, 0x1.f730bcp-1F, 0x1.921fb4p+0F};
alignas(32) const
    float nearAnglesLow[8] = {0, 0x1.586ed2p-28F, 0x1.4442dp-25F, 0x1.281f68p-25F, 0x1.4442dp-24F};

// For x >= 0.
template <int N>
Floats<N> arcTangent(Floats<N> x) {
  constexpr float firstFrom = 0.4375F, secondFrom = 0.6875F, thirdFrom = 1.1875F,
                  fourthFrom = 2.4375F, rightFrom = 0x1p+25F, right = 0x1.921fb6p+0F;
  Ints<N> isRight = x >= rightFrom;
  x = isRight ? Floats<N>(rightFrom) : x;
  Ints<N> range = -((x >= firstFrom) + (x >= secondFrom) + (x >= thirdFrom) + (x >= fourthFrom));
  Floats<N> above = numbersAt<N>(quotientU, range) * x + numbersAt<N>(quotientV, range);
  Floats<N> below = numbersAt<N>(quotientW, range) * x + numbersAt<N>(quotientT, range);
  Floats<N> t = above / below, z = t * t, w = z * z;
  Floats<N> odd = w * 0x1.0ad3aep-6F + 0x1.97b4b2p-5F;
  odd = w * odd + 0x1.10d66ap-4F;
  odd = w * odd + 0x1.745cdcp-4F;
  odd = w * odd + 0x1.24924ap-3F;
  odd = z * (w * odd + 0x1.555556p-2F);
  Floats<N> even = w * -0x1.2b4442p-5F + -0x1.dde2d6p-5F;
  even = w * even + -0x1.3b0f2ap-4F;
  even = w * even + -0x1.c71c7p-4F;
  even = w * (w * even + -0x1.99999ap-3F);
  Floats<N> rest = t * (odd + even) - numbersAt<N>(nearAnglesLow, range) - t;
  return isRight ? Floats<N>(right) : numbersAt<N>(nearAngles, range) - rest;
}

template <int N>
Floats<N> atanOf(Floats<N> x) {
  return withSignOf<N>(arcTangent<N>(magnitude<N>(x)), x);
}

template <int N>
Floats<N> atan2Of(Floats<N> y, Floats<N> x) {
  constexpr float least = 0x1p-60F, most = 0x1p+60F;
  constexpr float pi = 0x1.921fb6p+1F, piRest = -0x1.777a5cp-24F;
  Floats<N> width = magnitude<N>(x), height = magnitude<N>(y);
  Ints<N> special = ~((width >= least) & (width <= most) & (height <= most));
  height = harmless(height, special, Floats<N>(0));
  Floats<N> angle = arcTangent<N>(height / harmless(width, special, Floats<N>(1)));
  Floats<N> result = withSignOf<N>(x < 0 ? pi - (angle - piRest) : angle, y);
  return isAny(special) ? whereSpecial(y, x, result, special, atan2f) : result;
}

} // namespace
#endif // CUFRT_MATH_ARC_TANGENTS_H
