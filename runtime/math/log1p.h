// log(1 + x), as fdlibm has it; the GNU C library compiles that for double precision with fused
// operations, and for single without.
#ifndef CUFRT_MATH_LOG1P_H
#define CUFRT_MATH_LOG1P_H

#include "math/parts.h"

namespace {

// 1 + x = 2**k * (1 + f) * (1 + c).
template <typename Numbers, typename Mask>
struct ReducedLogarithm {
  Numbers f, k, c;
  Mask isRound; // f is so small that the library takes other steps
};

// What of x is not in u = 1 + x, as a part of u.
template <typename Numbers>
Numbers partMissing(Numbers x, Numbers u) {
  return (u >= 2 ? 1 - (u - x) : x - (u - 1)) / u;
}

template <int N>
ReducedLogarithm<Doubles<N>, Longs<N>> reducedLogarithm(Doubles<N> x) {
  constexpr double wholeBelow = 0x1.a827ap-2, aloneFrom = 0x1p+53;
  constexpr double roundFrom = 0x1.ffffdp-1, roundBelow = 0x1.00001p+0;
  constexpr int64_t least = 0x3fe6a09e00000000;
  Longs<N> isWhole = x < wholeBelow, isAlone = x >= aloneFrom;
  Doubles<N> u = 1 + x, c = isWhole | isAlone ? Doubles<N>(0) : partMissing(x, u);
  DoubleParts<N> parts = partsOf<N>(bitsOf<N>(isAlone ? x : u), least);
  Longs<N> isRound = (parts.z >= roundFrom) & (parts.z < roundBelow) & ~isWhole;
  return {isWhole ? x : parts.z - 1, isWhole ? Doubles<N>(0) : parts.k, c, isRound};
}

template <int N>
ReducedLogarithm<Floats<N>, Ints<N>> reducedLogarithm(Floats<N> x) {
  constexpr float wholeBelow = 0x1.a827aep-2F, aloneFrom = 0x1p+53F, roundFrom = 0x1.fffffap-1F;
  constexpr int32_t least = 0x3f3504f7, exponents = -(1 << singleExponentAt);
  Ints<N> isWhole = x < wholeBelow, isAlone = x >= aloneFrom;
  Floats<N> u = 1 + x, c = isWhole | isAlone ? Floats<N>(0) : partMissing(x, u);
  Ints<N> bits = bitsOf<N>(isAlone ? x : u), above = bits - least;
  Floats<N> k = __builtin_convertvector(above >> singleExponentAt, Floats<N>);
  Floats<N> z = numbersOf<N>(bits - (above & exponents));
  Ints<N> isRound = (z >= roundFrom) & (z <= 1) & ~isWhole;
  return {isWhole ? x : z - 1, isWhole ? Floats<N>(0) : k, c, isRound};
}

// Not where f is round.
template <int N>
Doubles<N> log1pOf(ReducedLogarithm<Doubles<N>, Longs<N>> x) {
  constexpr double high = 0x1.62e42feep-1, low = 0x1.a39ef35793c76p-33; // log(2)
  Doubles<N> half = 0.5 * x.f * x.f, s = x.f / (2 + x.f), z = s * s, z2 = z * z, z4 = z2 * z2;
  Doubles<N> second = fused<N>(z, 0x1.2492494229359p-2, Doubles<N>(0x1.999999997fa04p-2));
  Doubles<N> third = fused<N>(z, 0x1.7466496cb03dep-3, Doubles<N>(0x1.c71c51d8e78afp-3));
  Doubles<N> fourth = fused<N>(z, 0x1.2f112df3e5244p-3, Doubles<N>(0x1.39a09d078c69fp-3));
  Doubles<N> p = fused<N>(z, 0x1.5555555555593p-1, z2 * second);
  p = fused<N>(z4 * z2, fourth, fused<N>(z4, third, p));
  Doubles<N> rest = fused<N>(x.k, low, x.c) + s * (p + half);
  return fused<N>(x.k, high, -(half - rest - x.f));
}
template <int N>
Floats<N> log1pOf(ReducedLogarithm<Floats<N>, Ints<N>> x) {
  constexpr float high = 0x1.62e3p-1F, low = 0x1.2fefa2p-17F;
  Floats<N> half = 0.5F * x.f * x.f, s = x.f / (2 + x.f), z = s * s;
  Floats<N> p = z * 0x1.2f112ep-3F + 0x1.39a09ep-3F;
  p = z * p + 0x1.74664ap-3F;
  p = z * p + 0x1.c71c52p-3F;
  p = z * p + 0x1.24924ap-2F;
  p = z * p + 0x1.99999ap-2F;
  p = z * (z * p + 0x1.555556p-1F);
  Floats<N> rest = s * (half + p) + (x.k * low + x.c);
  return x.k * high - (half - rest - x.f);
}

} // namespace
#endif // CUFRT_MATH_LOG1P_H
