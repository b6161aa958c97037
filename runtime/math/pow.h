// x**y.
#ifndef CUFRT_MATH_POW_H
#define CUFRT_MATH_POW_H

#include "math/exp.h"
#include "math/parts.h"

namespace {

// log2(c), as inverses has 1/c.
alignas(64) const double binaryLogarithms[16] = {-0x1.efec65b963019p-2, -0x1.b0b6832d4fca4p-2,
                                                 -0x1.7418b0a1fb77bp-2, -0x1.39de91a6dcf7bp-2,
                                                 -0x1.01d9bf3f2b631p-2, -0x1.97c1d1b3b7afp-3,
                                                 -0x1.2f9e393af3c9fp-3, -0x1.960cbbf788d5cp-4,
                                                 -0x1.a6f9db6475fcep-5, 0,
                                                 0x1.338ca9f24f53dp-4,  0x1.476a9543891bap-3,
                                                 0x1.e840b4ac4e4d2p-3,  0x1.40645f0c6651cp-2,
                                                 0x1.88e9c2c1b9ff8p-2,  0x1.ce0a44eb17bccp-2};

template <int N>
Doubles<N> binaryLogOf(Ints<N> bits) {
  Parts<N> x = partsOf<N>(bits);
  Doubles<N> r = fused<N>(x.z, numbersAt<N>(inverses, x.part), Doubles<N>(-1));
  Doubles<N> whole = x.k + numbersAt<N>(binaryLogarithms, x.part), r2 = r * r;
  Doubles<N> y = fused<N>(r, 0x1.27616c9496e0bp-2, Doubles<N>(-0x1.71969a075c67ap-2));
  Doubles<N> p = fused<N>(r, 0x1.ec70a6ca7baddp-2, Doubles<N>(-0x1.7154748bef6c8p-1));
  Doubles<N> q = fused<N>(p, r2, fused<N>(r, 0x1.71547652ab82bp0, whole));
  return fused<N>(y, r2 * r2, q);
}

template <int N>
Floats<N> powOf(Floats<N> base, Floats<N> exponent) {
  if constexpr (N > widestDoubles) {
    return joined<N>(powOf<N / 2>(base.lo, exponent.lo), powOf<N / 2>(base.hi, exponent.hi));
  } else {
    constexpr double shift = 0x1.8p47, far = 126;
    constexpr int32_t magnitudeBits = INT32_MAX, infinity = 0x7f800000;
    Doubles<N> x = widened<N>(exponent) * binaryLogOf<N>(bitsOf<N>(base));
    Doubles<N> shifted = x + shift;
    Floats<N> result =
        narrowed<N>(scaledPower<N>(bitsOf<N>(shifted), x - (shifted - shift), 0x1.c6af84b912394p-5,
                                   0x1.ebfce50fac4f3p-3, 0x1.62e42ff0c52d6p-1));
    Ints<N> size = bitsOf<N>(exponent) & magnitudeBits;
    Ints<N> special = isSpecial<N>(bitsOf<N>(base)) | (size == 0) | (size >= infinity) |
                      __builtin_convertvector(magnitude<N>(x) >= far, Ints<N>);
    return isAny(special) ? whereSpecial(base, exponent, result, special, powf) : result;
  }
}

template <int N>
Doubles<N> powOf(Doubles<N> base, Doubles<N> exponent) {
  constexpr int64_t least = 0x3fe6955500000000;
  constexpr double far = 512, smallest = 0x1p-65, largest = 0x1p63;
  DoubleParts<N> parts = partsOf<N>(bitsOf<N>(base), least);
  Columns<N, 3> row = rowsAt<N>(logarithmsOfPower, parts.part);
  Doubles<N> r = fused<N>(parts.z, row.of[0], Doubles<N>(-1));
  Doubles<N> t1 = fused<N>(parts.k, log2High, row.of[1]), t2 = t1 + r;
  Doubles<N> low1 = fused<N>(parts.k, log2Low, row.of[2]), low2 = t1 - t2 + r;
  Doubles<N> ar = r * -0.5, ar2 = r * ar, ar3 = r * ar2, high = t2 + ar2;
  Doubles<N> low3 = fused<N>(ar, r, -ar2), low4 = t2 - high + ar2;
  Doubles<N> first = fused<N>(r, 0x1.0000000000006p-1, Doubles<N>(-0x1.555555555556p-1));
  Doubles<N> second = fused<N>(r, -0x1.555555529a47ap-1, Doubles<N>(0x1.999999959554ep-1));
  Doubles<N> third = fused<N>(r, 0x1.0002b8b263fc3p0, Doubles<N>(-0x1.2495b9b4845e9p0));
  Doubles<N> p = fused<N>(ar2, fused<N>(third, ar2, second), first);
  Doubles<N> low = fused<N>(ar3, p, low1 + low2 + low3 + low4);
  Doubles<N> logarithm = high + low, tail = high - logarithm + low;
  Doubles<N> x = exponent * logarithm;
  Doubles<N> rest = fused<N>(exponent, tail, fused<N>(logarithm, exponent, -x));
  Doubles<N> result = expOf<N>(x, rest), size = magnitude<N>(exponent);
  Longs<N> special = isSpecial<N>(bitsOf<N>(base)) | ~((size >= smallest) & (size < largest)) |
                     ~(magnitude<N>(x) < far);
  return isAny(special) ? whereSpecial(base, exponent, result, special,
                                       static_cast<double (*)(double, double)>(pow))
                        : result;
}

} // namespace
#endif // CUFRT_MATH_POW_H
