// Tangents. For single precision as fdlibm has them; for double as arc_tangents.h has its
// functions.
#ifndef CUFRT_MATH_TANGENTS_H
#define CUFRT_MATH_TANGENTS_H

#include "math/pairs.h"
#include "math/sines.h"
#include "math/tangent_table.h"

namespace {

template <int N>
struct Tangent {
  Pair<N> size;
  Doubles<N> error; // the library's
};

// By the tangent T of the nearest multiple of 1/64 and that of the rest, t: (T + t) / (1 - T*t),
// and one by that in odd quadrants.
template <int N>
Tangent<N> tangentOf(ReducedDouble<N> x) {
  constexpr double shift = 0x1.8p46, small = 0x1.f1p-5;
  constexpr int64_t wholes = 0x7f;
  Doubles<N> size = magnitude<N>(x.high), shifted = size + shift, z = size - (shifted - shift);
  Columns<N, 2> row = rowsAt<N>(tangents, bitsOf<N>(shifted) & wholes);
  Doubles<N> z2 = z * z, low = x.high > 0 ? x.low : -x.low;
  Doubles<N> p = fused<N>(z2, 0x1.664f4882c10fap-6, Doubles<N>(0x1.ba1ba1ba1ba1cp-5));
  p = fused<N>(z2, p, Doubles<N>(0x1.1111111111111p-3));
  p = fused<N>(z2, p, Doubles<N>(0x1.5555555555555p-2));
  Pair<N> t = sumOf<N>(z, fused<N>(z * z2, p, low));
  Doubles<N> product = row.of[0] * t.high, productLow = fused<N>(row.of[0], t.high, -product);
  productLow += fused<N>(row.of[0], t.low, row.of[1] * t.high);
  Pair<N> above = sumOf<N>(row.of[0], t.high), below = sumOf<N>(Doubles<N>(1), -product);
  above.low += t.low + row.of[1];
  below.low -= productLow;
  Longs<N> isOdd = (x.quadrant & 1) != 0;
  Pair<N> a = {isOdd ? below.high : above.high, isOdd ? below.low : above.low};
  Pair<N> b = {isOdd ? above.high : below.high, isOdd ? above.low : below.low};
  Doubles<N> inverse = 1 / b.high, quotient = a.high * inverse;
  Doubles<N> rest = fused<N>(-quotient, b.high, a.high) + fused<N>(-quotient, b.low, a.low);
  Doubles<N> slope = isOdd ? quotient * quotient : Doubles<N>(1);
  Doubles<N> error = slope * fused<N>(size, 0x1.34p-60, Doubles<N>(0x1.0cp-60));
  error = size < small ? quotient * size * size * 0x1p-51 : error;
  return {sumOf<N>(quotient, rest * inverse), error};
}

template <int N>
Doubles<N> tanOf(Doubles<N> x) {
  constexpr double directBelow = 0.5, small = 0x1p-10, most = 1e8;
  Doubles<N> size = magnitude<N>(x);
  Longs<N> special = ~(size < most);
  ReducedDouble<N> rest = reduced<N>(harmless(x, special, Doubles<N>(directBelow)), 0);
  special |= (size > directBelow) & (magnitude<N>(rest.high) < small);
  rest.high = harmless(rest.high, special, Doubles<N>(directBelow));
  Tangent<N> tangent = tangentOf<N>(rest);
  Doubles<N> result = withSignOf<N>(tangent.size.high + tangent.size.low, rest.high);
  result = (rest.quadrant & 1) != 0 ? -result : x == 0 ? x : result;
  special |= isUncertain<N>(tangent.size, tangent.error);
  return isAny(special) ? whereSpecial(x, result, special, static_cast<double (*)(double)>(tan))
                        : result;
}

// As Reduced, in two numbers of single precision.
template <int N>
struct ReducedSingle {
  Floats<N> high, low;
  Ints<N> isOdd;
};

template <int N>
[[gnu::always_inline]] inline ReducedSingle<N> reducedTwice(Floats<N> single) {
  if constexpr (N > widestDoubles) {
    ReducedSingle<N / 2> a = reducedTwice<N / 2>(single.lo), b = reducedTwice<N / 2>(single.hi);
    ReducedSingle<N> result = {joined<N>(a.high, b.high), joined<N>(a.low, b.low), {}};
    result.isOdd.lo = a.isOdd;
    result.isOdd.hi = b.isOdd;
    return result;
  } else {
    Reduced<N> x = reduced<N, false>(single);
    Floats<N> high = narrowed<N>(x.rest);
    return {high, narrowed<N>(x.rest - widened<N>(high)),
            __builtin_convertvector((x.quadrant & 1) != 0, Ints<N>)};
  }
}

// What low and the higher powers of x add to x in its tangent.
template <int N>
Floats<N> tangentRest(Floats<N> x, Floats<N> low) {
  Floats<N> z = x * x, w = z * z, cube = z * x;
  Floats<N> odd = w * -0x1.375cbep-16F + 0x1.47e88ap-14F;
  odd = w * odd + 0x1.344d9p-11F;
  odd = w * odd + 0x1.d6d22cp-9F;
  odd = w * odd + 0x1.664f48p-6F;
  odd = w * odd + 0x1.111112p-3F;
  Floats<N> even = w * 0x1.b2a708p-16F + 0x1.2b80f4p-14F;
  even = w * even + 0x1.026f72p-12F;
  even = w * even + 0x1.7dbc9p-10F;
  even = w * even + 0x1.226e3ep-7F;
  even = z * (w * even + 0x1.ba1ba2p-5F);
  return low + z * (cube * (odd + even) + low) + 0x1.555556p-2F * cube;
}

template <int N>
Floats<N> withFewDigits(Floats<N> x) {
  constexpr int32_t digits = -0x1000;
  return numbersOf<N>(bitsOf<N>(x) & digits);
}

// Near pi/4 by the tangent of what is missing of it.
template <int N>
Floats<N> tanOf(Floats<N> single) {
  constexpr float nearQuarterFrom = 0x1.59428p-1F, tiny = 0x1p-13F;
  constexpr float quarter = 0x1.921fb4p-1F, quarterLow = 0x1.4442dp-25F; // pi/4
  Ints<N> special = ~(magnitude<N>(single) < __builtin_inff());
  ReducedSingle<N> x = reducedTwice<N>(harmless(single, special, Floats<N>(0)));
  Floats<N> size = magnitude<N>(x.high), low = x.high < 0 ? -x.low : x.low;
  Ints<N> isNear = size >= nearQuarterFrom;
  Floats<N> missing = (quarter - size) + (quarterLow - low);
  Floats<N> y = isNear ? missing : size;
  Floats<N> rest = tangentRest<N>(y, isNear ? Floats<N>(0) : low), sum = y + rest;
  Floats<N> direction = x.isOdd ? Floats<N>(-1) : Floats<N>(1);
  Ints<N> isTiny = size < tiny, isInverse = x.isOdd & ~isNear;
  Floats<N> above = isNear ? sum * sum : Floats<N>(-1);
  Floats<N> below = isNear ? sum + direction : isInverse ? (isTiny ? size : sum) : Floats<N>(1);
  Floats<N> quotient = above / below;
  Floats<N> inverse = withFewDigits<N>(quotient), z = withFewDigits<N>(sum);
  inverse = inverse + quotient * (inverse * z + 1 + inverse * (rest - (z - y)));
  Floats<N> near = direction - 2 * (y - (quotient - rest));
  near = magnitude<N>(y) < tiny ? direction * (1 - 2 * direction * y) : near;
  Floats<N> result = isTiny ? (x.isOdd ? quotient : size) : isInverse ? inverse : sum;
  result = isNear ? near : result;
  result = x.high < 0 ? -result : result;
  result = x.high == 0 ? x.high : result;
  return isAny(special) ? whereSpecial(single, result, special, tanf) : result;
}

} // namespace
#endif // CUFRT_MATH_TANGENTS_H
