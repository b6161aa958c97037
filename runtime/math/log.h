// Natural logarithms.
#ifndef CUFRT_MATH_LOG_H
#define CUFRT_MATH_LOG_H

#include "math/parts.h"
#include "math/tables.h"

namespace {

// log(c), as inverses has 1/c.
alignas(64) const double naturalLogarithms[16] = {-0x1.57bf7808caadep-2, -0x1.2bef0a7c06ddbp-2,
                                                  -0x1.01eae7f513a67p-2, -0x1.b31d8a68224e9p-3,
                                                  -0x1.6574f0ac07758p-3, -0x1.1aa2bc79c81p-3,
                                                  -0x1.a4e76ce8c0e5ep-4, -0x1.1973c5a611cccp-4,
                                                  -0x1.252f438e10c1ep-5, 0,
                                                  0x1.aa5aa5df25984p-5,  0x1.c5e53aa362eb4p-4,
                                                  0x1.526e57720db08p-3,  0x1.bc2860d22477p-3,
                                                  0x1.1058bc8a07ee1p-2,  0x1.4043057b6ee09p-2};

template <int N>
Floats<N> logOf(Floats<N> single) {
  if constexpr (N > widestDoubles) {
    return joined<N>(logOf<N / 2>(single.lo), logOf<N / 2>(single.hi));
  } else {
    constexpr double log2 = 0x1.62e42fefa39efp-1;
    Parts<N> x = partsOf<N>(bitsOf<N>(single));
    Doubles<N> r = fused<N>(x.z, numbersAt<N>(inverses, x.part), Doubles<N>(-1));
    Doubles<N> whole = fused<N>(x.k, log2, numbersAt<N>(naturalLogarithms, x.part)), r2 = r * r;
    Doubles<N> y = fused<N>(r, 0x1.5575b0be00b6ap-2, Doubles<N>(-0x1.ffffef20a4123p-2));
    y = fused<N>(r2, -0x1.00ea348b88334p-2, y);
    Floats<N> result = narrowed<N>(fused<N>(y, r2, whole + r));
    Ints<N> special = isSpecial<N>(bitsOf<N>(single));
    return isAny(special) ? whereSpecial(single, result, special, logf) : result;
  }
}

template <int N>
Doubles<N> logNearOne(Doubles<N> x) {
  constexpr double split = 0x1p27, half = -0.5;
  Doubles<N> r = x - 1, r2 = r * r, r3 = r * r2;
  Doubles<N> first = fused<N>(r, -0x1.ffffffffffdcbp-3, Doubles<N>(0x1.5555555555577p-2));
  first = fused<N>(r2, 0x1.999999995dd0cp-3, first);
  Doubles<N> second = fused<N>(r, 0x1.24924a344de3p-3, Doubles<N>(-0x1.55555556745a7p-3));
  second = fused<N>(r2, -0x1.fffffa4423d65p-4, second);
  Doubles<N> third = fused<N>(r, -0x1.999eb43b068ffp-4, Doubles<N>(0x1.c7184282ad6cap-4));
  third = fused<N>(r3, -0x1.5521375d145cdp-4, fused<N>(r2, 0x1.78182f7afd085p-4, third));
  Doubles<N> y = fused<N>(fused<N>(third, r3, second), r3, first);
  Doubles<N> rHigh = fused<N>(r, -split, fused<N>(r, split, r)), rLow = r - rHigh;
  Doubles<N> square = rHigh * rHigh, high = fused<N>(square, half, r);
  Doubles<N> low = fused<N>(square, half, r - high);
  low = fused<N>(rLow * half, r + rHigh, low);
  return high + fused<N>(y, r3, low);
}

template <int N>
Doubles<N> logOf(Doubles<N> x) {
  constexpr int64_t least = 0x3fe6000000000000;
  constexpr int64_t nearFrom = 0x3fee000000000000, nearTo = 0x3ff1090000000000;
  Longs<N> bits = bitsOf<N>(x);
  DoubleParts<N> parts = partsOf<N>(bits, least);
  Columns<N, 2> row = rowsAt<N>(logarithms, parts.part);
  Doubles<N> r = fused<N>(parts.z, row.of[0], Doubles<N>(-1)), r2 = r * r;
  Doubles<N> whole = fused<N>(parts.k, log2High, row.of[1]), high = whole + r;
  Doubles<N> low = fused<N>(parts.k, log2Low, (whole - high) + r);
  low = fused<N>(r2, -0x1.0000000000001p-1, low);
  Doubles<N> first = fused<N>(r, -0x1.fffffffeb459p-3, Doubles<N>(0x1.555555551305bp-2));
  Doubles<N> second = fused<N>(r, -0x1.55575e506c89fp-3, Doubles<N>(0x1.999b324f10111p-3));
  Doubles<N> result = fused<N>(fused<N>(second, r2, first), r * r2, low) + high;
  if (Longs<N> isNear = (bits >= nearFrom) & (bits < nearTo); isAny(isNear))
    result = isNear ? logNearOne<N>(harmless(x, ~isNear, Doubles<N>(1))) : result;
  Longs<N> special = isSpecial<N>(bits);
  return isAny(special) ? whereSpecial(x, result, special, static_cast<double (*)(double)>(log))
                        : result;
}

} // namespace
#endif // CUFRT_MATH_LOG_H
