// Decimal logarithms, as fdlibm has them: by the natural one of a number between 1/2 and 2.
#ifndef CUFRT_MATH_LOG10_H
#define CUFRT_MATH_LOG10_H

#include "math/log.h"

namespace {

template <int N>
Doubles<N> log10Of(Doubles<N> x) {
  constexpr double inverse = 0x1.bcb7b1526e50ep-2;                        // 1/log(10)
  constexpr double high = 0x1.34413509f6p-2, low = 0x1.9fef311f12b36p-42; // log10(2)
  constexpr int64_t bias = 1023;
  Longs<N> bits = bitsOf<N>(x), special = isSpecial<N>(bits);
  bits = special ? bias << exponentAt : bits;
  Longs<N> exponent = (bits >> exponentAt) - bias;
  exponent -= exponent < 0;
  Doubles<N> k = __builtin_convertvector(__builtin_convertvector(exponent, Ints<N>), Doubles<N>);
  Doubles<N> rest = numbersOf<N>(bits - (exponent << exponentAt));
  Doubles<N> result = k * low + inverse * logOf<N>(rest) + k * high;
  return isAny(special) ? whereSpecial(x, result, special, static_cast<double (*)(double)>(log10))
                        : result;
}

template <int N>
Floats<N> log10Of(Floats<N> x) {
  constexpr float inverse = 0x1.bcb7b2p-2F, high = 0x1.3441p-2F, low = 0x1.a84fb6p-21F;
  constexpr int32_t bias = 127;
  Ints<N> bits = bitsOf<N>(x), special = isSpecial<N>(bits);
  bits = special ? bias << singleExponentAt : bits;
  Ints<N> exponent = (bits >> singleExponentAt) - bias;
  exponent -= exponent < 0;
  Floats<N> k = __builtin_convertvector(exponent, Floats<N>);
  Floats<N> rest = numbersOf<N>(bits - (exponent << singleExponentAt));
  Floats<N> result = k * low + inverse * logOf<N>(rest) + k * high;
  return isAny(special) ? whereSpecial(x, result, special, log10f) : result;
}

} // namespace
#endif // CUFRT_MATH_LOG10_H
