// The error function and its complement, as fdlibm has them: a quotient of polynomials in each of
// four ranges, with exponentials in the upper two. A table holds the ranges' coefficients side by
// side, so that lanes of several ranges take the same steps.
#ifndef CUFRT_MATH_ERF_H
#define CUFRT_MATH_ERF_H

#include "math/error_tables.h"
#include "math/exp.h"
#include "math/short_tables.h"

namespace {

constexpr float middleFrom = 0.84375F, exponentialFrom = 1.25F, errorAtOne = 0x1.b0ac16p-1F;

// Of a row of a table; of the first range if all lanes are in that.
template <int N, bool isNear, typename Real, typename Bits>
auto coefficient(const Real (&row)[4], Bits range) {
  if constexpr (isNear)
    return row[0];
  else
    return numbersAt<N>(row, range);
}

template <int N, bool isNear>
Doubles<N> errorQuotient(Doubles<N> x, Longs<N> range) {
  auto p = [&](int row) { return coefficient<N, isNear>(errorAbove[row], range); };
  auto q = [&](int row) { return coefficient<N, isNear>(errorBelow[row], range); };
  Doubles<N> x2 = x * x, x4 = x2 * x2, x6 = x4 * x2;
  Doubles<N> above = (p(0) + x * p(1)) + x2 * (p(2) + x * p(3));
  Doubles<N> below = (1 + x * q(1)) + x2 * (q(2) + x * q(3)) + x4 * (q(4) + x * q(5));
  if constexpr (isNear)
    return (above + x4 * p(4)) / below;
  above = above + x4 * (p(4) + x * p(5)) + x6 * (p(6) + x * p(7));
  below = below + x6 * (q(6) + x * q(7)) + x4 * x4 * q(8);
  return above / below;
}

template <int N, bool isNear>
Floats<N> errorQuotient(Floats<N> x, Ints<N> range) {
  constexpr int mostAbove = isNear ? 4 : 7, mostBelow = isNear ? 5 : 8;
  auto p = [&](int row) { return coefficient<N, isNear>(errorAboveSingle[row], range); };
  auto q = [&](int row) { return coefficient<N, isNear>(errorBelowSingle[row], range); };
  Floats<N> above = p(mostAbove);
  for (int row = mostAbove - 1; row >= 0; --row)
    above = p(row) + x * above;
  Floats<N> below = q(mostBelow);
  for (int row = mostBelow - 1; row > 0; --row)
    below = q(row) + x * below;
  return above / (1 + x * below);
}

// What the two functions have in common.
template <typename Numbers, typename Bits>
struct ErrorParts {
  Numbers size, quotient;
  Bits isNear, isMiddle, isExponential; // no range: the result is what it is at infinity
};

template <int N, typename Bits, typename Numbers, typename Real>
ErrorParts<Numbers, Bits> errorParts(Numbers x, Real lastFrom, Real constantFrom) {
  Numbers size = magnitude<N>(x);
  Bits isNear = size < middleFrom,
       isExponential = (size >= exponentialFrom) & (size < constantFrom);
  Bits isMiddle = (size >= middleFrom) & (size < exponentialFrom);
  if (!isAny(~isNear))
    return {size, errorQuotient<N, true>(size * size, Bits(0)), isNear, isMiddle, isExponential};
  Numbers square = harmless(size, ~(isNear | isExponential), Numbers(1));
  square *= square;
  Numbers argument = isNear ? square : isMiddle ? size - 1 : Numbers(1);
  if (isAny(isExponential))
    argument = isExponential ? 1 / harmless(square, isNear, Numbers(1)) : argument;
  Bits range = -(isMiddle + 2 * isExponential) - (isExponential & (size >= lastFrom));
  return {size, errorQuotient<N, false>(argument, range), isNear, isMiddle, isExponential};
}

// For |x| < 512.
template <int N>
Floats<N> nearExpOf(Floats<N> x) {
  return expOf<N>(x);
}
template <int N>
Doubles<N> nearExpOf(Doubles<N> x) {
  return expOf<N>(x, Doubles<N>(0));
}

// e**-x**2 by e**-z**2, z being x with few digits.
template <int N, typename Numbers, typename Bits>
[[gnu::always_inline]] inline Numbers errorExponential(ErrorParts<Numbers, Bits> parts,
                                                       Bits digits) {
  Numbers size = harmless(parts.size, ~parts.isExponential, Numbers(exponentialFrom));
  Numbers quotient = parts.isExponential ? parts.quotient : Numbers(0);
  Numbers z = numbersOf<N>(bitsOf<N>(size) & digits);
  return nearExpOf<N>(-z * z - 0.5625F) * nearExpOf<N>((z - size) * (z + size) + quotient) / size;
}

constexpr int64_t upperHalf = -(int64_t{1} << 32);

template <int N, typename Bits, typename Numbers, typename Real>
Numbers erfOf(Numbers x, Real lastFrom, Bits digits, Real slope, Real least,
              Real (*library)(Real)) {
  constexpr Real constantFrom = 6, tiny = 0x1p-28F;
  auto parts = errorParts<N, Bits>(x, lastFrom, constantFrom);
  Numbers slopes = parts.size < tiny ? Numbers(slope) : parts.quotient;
  Numbers result = withSignOf<N>(parts.isMiddle ? errorAtOne + parts.quotient : Numbers(1), x);
  if (isAny(parts.isExponential))
    result =
        parts.isExponential ? withSignOf<N>(1 - errorExponential<N>(parts, digits), x) : result;
  result = parts.isNear ? x + x * slopes : result;
  Bits special = ~(parts.size >= least) & (x != 0);
  return isAny(special) ? whereSpecial(x, result, special, library) : result;
}
template <int N>
Doubles<N> erfOf(Doubles<N> x) {
  return erfOf<N, Longs<N>, Doubles<N>, double>(x, 0x1.6db6ep+1, Longs<N>(upperHalf),
                                                0x1.06eba8214db69p-3, 0x1p-1015, erf);
}
template <int N>
Floats<N> erfOf(Floats<N> x) {
  constexpr int32_t digits = -0x1000;
  return erfOf<N, Ints<N>, Floats<N>, float>(x, 0x1.6db6dcp+1F, Ints<N>(digits), 0x1.06eba8p-3F,
                                             0x1p-119F, erff);
}

template <int N, typename Bits, typename Numbers, typename Real>
Numbers erfcOf(Numbers x, Real lastFrom, Bits digits, Real (*library)(Real)) {
  constexpr Real farFrom = 22, zeroFrom = 28, twoBelow = -6, halfFrom = 0.25F;
  auto parts = errorParts<N, Bits>(x, lastFrom, farFrom);
  parts.isExponential &= x >= twoBelow;
  Bits isNegative = x < 0;
  Numbers near = x * parts.quotient, fromHalf = 0.5F - (near + (x - 0.5F));
  near = x < halfFrom ? 1 - (x + near) : fromHalf;
  Numbers middle =
      isNegative ? 1 + (errorAtOne + parts.quotient) : (1 - errorAtOne) - parts.quotient;
  Numbers result = isNegative ? Numbers(2) : Numbers(0);
  result = parts.isNear ? near : parts.isMiddle ? middle : result;
  if (isAny(parts.isExponential)) {
    Numbers tail = errorExponential<N>(parts, digits);
    result = parts.isExponential ? (isNegative ? 2 - tail : tail) : result;
  }
  Bits special = ~(x < farFrom) & ~(x >= zeroFrom);
  return isAny(special) ? whereSpecial(x, result, special, library) : result;
}
template <int N>
Doubles<N> erfcOf(Doubles<N> x) {
  return erfcOf<N, Longs<N>, Doubles<N>, double>(x, 0x1.6db6dp+1, Longs<N>(upperHalf), erfc);
}
template <int N>
Floats<N> erfcOf(Floats<N> x) {
  constexpr int32_t digits = -0x2000;
  return erfcOf<N, Ints<N>, Floats<N>, float>(x, 0x1.6db6dap+1F, Ints<N>(digits), erfcf);
}

} // namespace
#endif // CUFRT_MATH_ERF_H
