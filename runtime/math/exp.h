// e**x.
#ifndef CUFRT_MATH_EXP_H
#define CUFRT_MATH_EXP_H

#include "math/short_tables.h"
#include "math/tables.h"

namespace {

// 2**(i/32), the bits of which are less by i*2**47: adding k*2**47 to them gives 2**(k/32) for
// every k that is i modulo 32.
alignas(64) const double powersOfTwo[32] = {0x1p+0,
                                            0x1.fd9b0d3158574p-1,
                                            0x1.fb5586cf9890fp-1,
                                            0x1.f9301d0125b51p-1,
                                            0x1.f72b83c7d517bp-1,
                                            0x1.f54873168b9aap-1,
                                            0x1.f387a6e756238p-1,
                                            0x1.f1e9df51fdee1p-1,
                                            0x1.f06fe0a31b715p-1,
                                            0x1.ef1a7373aa9cbp-1,
                                            0x1.edea64c123422p-1,
                                            0x1.ece086061892dp-1,
                                            0x1.ebfdad5362a27p-1,
                                            0x1.eb42b569d4f82p-1,
                                            0x1.eab07dd485429p-1,
                                            0x1.ea47eb03a5585p-1,
                                            0x1.ea09e667f3bcdp-1,
                                            0x1.e9f75e8ec5f74p-1,
                                            0x1.ea11473eb0187p-1,
                                            0x1.ea589994cce13p-1,
                                            0x1.eace5422aa0dbp-1,
                                            0x1.eb737b0cdc5e5p-1,
                                            0x1.ec49182a3f09p-1,
                                            0x1.ed503b23e255dp-1,
                                            0x1.ee89f995ad3adp-1,
                                            0x1.eff76f2fb5e47p-1,
                                            0x1.f199bdd85529cp-1,
                                            0x1.f3720dcef9069p-1,
                                            0x1.f5818dcfba487p-1,
                                            0x1.f7c97337b9b5fp-1,
                                            0x1.fa4afa2a490dap-1,
                                            0x1.fd0765b6e454p-1};

// 2**(k/32) * 2**(r/32), or r as it is scaled by the coefficients.
template <int N>
Doubles<N> scaledPower(Longs<N> k, Doubles<N> r, double c0, double c1, double c2) {
  Doubles<N> scale = numbersOf<N>(bitsOf<N>(numbersAt<N>(powersOfTwo, k)) + (k << 47));
  Doubles<N> high = fused<N>(r, c0, Doubles<N>(c1)), low = fused<N>(r, c2, Doubles<N>(1));
  return fused<N>(high, r * r, low) * scale;
}

template <int N>
Floats<N> expOf(Floats<N> single) {
  if constexpr (N > widestDoubles) {
    return joined<N>(expOf<N / 2>(single.lo), expOf<N / 2>(single.hi));
  } else {
    constexpr double far = 150; // the result is zero or infinite
    constexpr double inverse = 0x1.71547652b82fep+5, shift = 0x1.8p52;
    Doubles<N> x = widened<N>(single);
    x = x > far ? Doubles<N>(far) : x;
    x = x < -far ? Doubles<N>(-far) : x;
    Doubles<N> shifted = fused<N>(x, inverse, Doubles<N>(shift)), k = shifted - shift;
    return narrowed<N>(scaledPower<N>(bitsOf<N>(shifted), fused<N>(x, inverse, -k),
                                      0x1.c6af84b912394p-20, 0x1.ebfce50fac4f3p-13,
                                      0x1.62e42ff0c52d6p-6));
  }
}

// e**(x + tail), |tail| small against x, for |x| < 512; nothing overflows for others, as programs
// may have overflow end them.
template <int N>
Doubles<N> expOf(Doubles<N> x, Doubles<N> tail) {
  constexpr double inverse = 0x1.71547652b82fep+7, shift = 0x1.8p52; // 128/log(2)
  constexpr double log2High = -0x1.62e42fefap-8, log2Low = -0x1.cf79abc9e3b3ap-47;
  constexpr int partBits = 7;
  constexpr double most = 1024;
  x = x > most ? Doubles<N>(most) : x;
  x = x < -most ? Doubles<N>(-most) : x;
  Doubles<N> shifted = fused<N>(x, inverse, Doubles<N>(shift)), k = shifted - shift;
  Longs<N> bits = bitsOf<N>(shifted);
  Columns<N, 2> row = rowsAt<N>(exponentials, bits & ((1 << partBits) - 1));
  Doubles<N> r = tail + fused<N>(k, log2Low, fused<N>(k, log2High, x)), r2 = r * r;
  Doubles<N> low = fused<N>(r, 0x1.555555555543cp-3, Doubles<N>(0x1.ffffffffffdbdp-2));
  Doubles<N> high = fused<N>(r, 0x1.1111167a4d017p-7, Doubles<N>(0x1.55555cf172b91p-5));
  Doubles<N> more = fused<N>(high, r2 * r2, fused<N>(low, r2, row.of[0] + r));
  Doubles<N> scale = numbersOf<N>(bitsOf<N>(row.of[1]) + (bits << (exponentAt - partBits)));
  return fused<N>(scale, more, scale);
}

template <int N>
Doubles<N> expOf(Doubles<N> x) {
  constexpr double far = 512, zeroBelow = -746;
  Doubles<N> result = expOf<N>(x, Doubles<N>(0));
  Longs<N> isFar = ~(magnitude<N>(x) < far);
  if (isAny(isFar)) {
    Longs<N> isZero = x < zeroBelow;
    result = isZero ? Doubles<N>(0) : result;
    isFar &= ~isZero;
    return isAny(isFar) ? whereSpecial(x, result, isFar, static_cast<double (*)(double)>(exp))
                        : result;
  }
  return result;
}

} // namespace
#endif // CUFRT_MATH_EXP_H
