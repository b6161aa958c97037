// Sines and cosines.
#ifndef CUFRT_MATH_SINES_H
#define CUFRT_MATH_SINES_H

#include "math/tables.h"
#include "math/vectors.h"

namespace {

// x = quadrant*pi/2 + rest, |rest| <= pi/4.
template <int N>
struct Reduced {
  Doubles<N> rest;
  Longs<N> quadrant; // modulo 4
};

// For |x| < 120.
template <int N, bool isFused>
Reduced<N> reduced(Doubles<N> x) {
  constexpr double twoByPi = 0x1.45F306DC9C883p+23, halfPi = 0x1.921FB54442D18p0; // by 2**24
  constexpr int bitsBehind = 24;
  Ints<N> scaled = __builtin_convertvector(x * twoByPi, Ints<N>);
  Ints<N> quadrant = (scaled + (1 << (bitsBehind - 1))) >> bitsBehind;
  Doubles<N> k = __builtin_convertvector(quadrant, Doubles<N>);
  return {isFused ? fused<N>(k, -halfPi, x) : x - k * halfPi, widened<N>(quadrant)};
}

// For |x| >= 2: the product with 4/pi, of which only the bits behind the quadrant's count.
template <int N>
[[gnu::noinline, gnu::cold]] Reduced<N> reducedLarge(Ints<N> bits) {
  static const uint32_t fourByPi[24] = {0xa2,       0xa2f9,     0xa2f983,   0xa2f9836e, 0xf9836e4e,
                                        0x836e4e44, 0x6e4e4415, 0x4e441529, 0x441529fc, 0x1529fc27,
                                        0x29fc2757, 0xfc2757d1, 0x2757d1f5, 0x57d1f534, 0xd1f534dd,
                                        0xf534ddc0, 0x34ddc0db, 0xddc0db62, 0xc0db6295, 0xdb629599,
                                        0x6295993c, 0x95993c43, 0x993c4390, 0x3c439041};
  constexpr double unit = 0x1.921FB54442D18p-62; // 2*pi*2**-64
  Reduced<N> result;
  for (int lane = 0; lane < N; ++lane) {
    auto whole = static_cast<uint32_t>(bits[lane]);
    const uint32_t *digits = fourByPi + (whole >> 26 & 15);
    whole = ((whole & 0xffffff) | 0x800000) << (whole >> 23 & 7);
    const uint32_t upper = whole * digits[0]; // what is above it goes by whole quadrants
    uint64_t high = uint64_t{upper} << 32;
    uint64_t product = high | uint64_t{whole} * digits[8] >> 32;
    product += uint64_t{whole} * digits[4];
    uint64_t quadrant = (product + (uint64_t{1} << 61)) >> 62;
    product -= quadrant << 62;
    result.rest[lane] = static_cast<double>(static_cast<int64_t>(product)) * unit;
    result.quadrant[lane] = static_cast<int64_t>(quadrant);
  }
  return result;
}

// The sine of what was reduced; the cosine one quadrant further.
template <int N>
Floats<N> sineOf(Reduced<N> x) {
  Doubles<N> x2 = x.rest * x.rest, x3 = x.rest * x2, x4 = x2 * x2;
  Doubles<N> sine = fused<N>(x3, -0x1.555545995a603p-3, x.rest);
  sine = fused<N>(fused<N>(x2, -0x1.994eb3774cf24p-13, Doubles<N>(0x1.1107605230bc4p-7)), x3 * x2,
                  sine);
  Doubles<N> cosine = fused<N>(x2, -0x1.ffffffd0c621cp-2, Doubles<N>(1));
  cosine = fused<N>(x4, 0x1.55553e1068f19p-5, cosine);
  cosine = fused<N>(fused<N>(x2, 0x1.99343027bf8c3p-16, Doubles<N>(-0x1.6c087e89a359dp-10)),
                    x4 * x2, cosine);
  Doubles<N> result = (x.quadrant & 1) != 0 ? cosine : sine;
  return narrowed<N>((x.quadrant & 2) != 0 ? -result : result);
}

// The library has fused operations in sines and cosines, not in tangents.
template <int N, bool isFused>
Reduced<N> reduced(Floats<N> single) {
  constexpr float large = 120;
  Floats<N> size = magnitude<N>(single);
  Reduced<N> x = reduced<N, isFused>(widened<N>(size < large ? single : Floats<N>(0)));
  if (Ints<N> isLarge = ~(size < large); isAny(isLarge)) {
    Reduced<N> other = reducedLarge<N>(bitsOf<N>(size));
    Longs<N> mask = widened<N>(isLarge), isNegative = widened<N>(bitsOf<N>(single)) < 0;
    x.rest = mask ? (isNegative ? -other.rest : other.rest) : x.rest;
    x.quadrant = mask ? (isNegative ? -other.quadrant : other.quadrant) : x.quadrant;
  }
  return x;
}

// The sine of x, first quadrants further.
template <int N>
Floats<N> sineFrom(Floats<N> single, int64_t first, Floats<N> ofTiny) {
  constexpr float tiny = 0x1p-12F;
  Floats<N> size = magnitude<N>(single);
  Reduced<N> x = reduced<N, true>(single);
  x.quadrant += first;
  Floats<N> result = size < tiny ? ofTiny : sineOf<N>(x);
  return size < __builtin_inff() ? result : single - single;
}

template <int N>
Floats<N> sinOf(Floats<N> single) {
  if constexpr (N > widestDoubles)
    return joined<N>(sinOf<N / 2>(single.lo), sinOf<N / 2>(single.hi));
  else
    return sineFrom<N>(single, 0, single);
}

template <int N>
Floats<N> cosOf(Floats<N> single) {
  if constexpr (N > widestDoubles)
    return joined<N>(cosOf<N / 2>(single.lo), cosOf<N / 2>(single.hi));
  else
    return sineFrom<N>(single, 1, Floats<N>(1));
}

constexpr double halfPi = 0x1.921fb54442d18p+0, halfPiLow = 0x1.1a62633145c07p-54;

// x = high + low + quadrant*pi/2.
template <int N>
struct ReducedDouble {
  Doubles<N> high, low;
  Longs<N> quadrant; // modulo 4
};

template <int N>
ReducedDouble<N> reduced(Doubles<N> x, int64_t first) {
  constexpr double shift = 0x1.8p52, twoByPi = 0x1.45f306dc9c883p-1;
  constexpr double pi1 = 0x1.921fb58p+0, pi2 = -0x1.dde973cp-27, pi3 = -0x1.cb3b398p-55,
                   pi4 = -0x1.d747f23e32ed7p-83;
  Doubles<N> shifted = fused<N>(x, twoByPi, Doubles<N>(shift)), k = shifted - shift;
  Doubles<N> y = fused<N>(k, -pi2, fused<N>(k, -pi1, x));
  Doubles<N> almost = fused<N>(k, -pi3, y);
  Doubles<N> low = fused<N>(k, -pi3, y - almost), high = fused<N>(k, -pi4, almost);
  return {high, low + fused<N>(k, -pi4, almost - high), bitsOf<N>(shifted) + first};
}

// The sine of what was reduced; the cosine one quadrant further.
template <int N>
Doubles<N> sineOf(ReducedDouble<N> x) {
  constexpr double shift = 0x1.8p45, small = 0x1.020c49ba5e354p-3; // to multiples of 1/128
  constexpr double sine3 = -0x1.5555555555515p-3, sine5 = 0x1.11110e829872fp-7;
  constexpr double cosine4 = -0x1.5555555555535p-5, cosine6 = 0x1.6c16bedd9e239p-10;
  constexpr int64_t wholes = 0xff;
  Doubles<N> size = magnitude<N>(x.high), shifted = size + shift;
  Columns<N, 4> row = rowsAt<N>(sinesCosines, bitsOf<N>(shifted) & wholes);
  auto &[sine, sineLow, cosine, cosineLow] = row.of;
  Doubles<N> low = x.high > 0 ? x.low : -x.low, v = size - (shifted - shift);
  auto cosinePart = [&](Doubles<N> v2) {
    return v2 * fused<N>(fused<N>(v2, cosine6, Doubles<N>(cosine4)), v2, Doubles<N>(0.5));
  };
  auto sinePart = [&](Doubles<N> v, Doubles<N> v2, Doubles<N> rest) {
    return fused<N>(v * v2, fused<N>(v2, sine5, Doubles<N>(sine3)), rest);
  };
  Doubles<N> v2 = v * v, s = v + sinePart(v, v2, low), c = fused<N>(v, low, cosinePart(v2));
  Doubles<N> more = fused<N>(s, cosine, fused<N>(-c, sine, fused<N>(cosineLow, s, sineLow)));
  Doubles<N> ofSine = withSignOf<N>(sine + more, x.high);

  Doubles<N> xx = x.high * x.high; // near zero by a polynomial alone
  Doubles<N> p = fused<N>(xx, -0x1.addffc2fcdf59p-26, Doubles<N>(0x1.71de27b9a7ed9p-19));
  p = fused<N>(p, xx, Doubles<N>(-0x1.a01a019db08b8p-13));
  p = fused<N>(p, xx, Doubles<N>(0x1.1111111110ecep-7));
  p = fused<N>(p, xx, Doubles<N>(-0x1.5555555555555p-3));
  p = fused<N>(p, x.high, x.low * -0.5);
  ofSine = size < small ? x.high + fused<N>(xx, p, x.low) : ofSine;

  v += low;
  v2 = v * v;
  s = sinePart(v, v2, v);
  more = fused<N>(-cosinePart(v2), cosine, fused<N>(-sineLow, s, cosineLow));
  Doubles<N> ofCosine = cosine + fused<N>(-s, sine, more);
  Doubles<N> result = (x.quadrant & 1) != 0 ? ofCosine : ofSine;
  return (x.quadrant & 2) != 0 ? -result : result;
}

constexpr double directBelow = 0x1.b6p-1, reflectedBelow = 0x1.368fdp+1,
                 reducedBelow = 0x1.921fbp+26;

template <int N>
struct Ranges {
  Longs<N> isDirect, isReflected, isFar; // the polynomial of x; that of pi/2 - |x|; the library's
};
template <int N>
Ranges<N> rangesOf(Doubles<N> size) {
  Longs<N> isDirect = size < directBelow;
  return {isDirect, (size < reflectedBelow) & ~isDirect, ~(size < reducedBelow)};
}

template <int N>
Doubles<N> sinOf(Doubles<N> x) {
  constexpr double tiny = 0x1p-26;
  Doubles<N> size = magnitude<N>(x);
  Ranges<N> range = rangesOf<N>(size);
  ReducedDouble<N> rest = reduced<N>(x, 0);
  rest.high = range.isDirect ? x : range.isReflected ? halfPi - size : rest.high;
  rest.low = range.isDirect ? Doubles<N>(0) : range.isReflected ? Doubles<N>(halfPiLow) : rest.low;
  rest.quadrant = range.isDirect ? 0 : range.isReflected ? Longs<N>(1) : rest.quadrant;
  Doubles<N> result = sineOf<N>(rest);
  result = range.isReflected ? withSignOf<N>(result, x) : result;
  result = size < tiny ? x : result;
  return isAny(range.isFar)
             ? whereSpecial(x, result, range.isFar, static_cast<double (*)(double)>(sin))
             : result;
}

template <int N>
Doubles<N> cosOf(Doubles<N> x) {
  constexpr double tiny = 0x1p-27;
  Doubles<N> size = magnitude<N>(x), reflected = halfPi - size, high = reflected + halfPiLow;
  Ranges<N> range = rangesOf<N>(size);
  ReducedDouble<N> rest = reduced<N>(x, 1);
  rest.high = range.isDirect ? x : range.isReflected ? high : rest.high;
  rest.low = range.isDirect      ? Doubles<N>(0)
             : range.isReflected ? reflected - high + halfPiLow
                                 : rest.low;
  rest.quadrant = range.isDirect ? 1 : range.isReflected ? Longs<N>(0) : rest.quadrant;
  Doubles<N> result = size < tiny ? Doubles<N>(1) : sineOf<N>(rest);
  return isAny(range.isFar)
             ? whereSpecial(x, result, range.isFar, static_cast<double (*)(double)>(cos))
             : result;
}

} // namespace
#endif // CUFRT_MATH_SINES_H
