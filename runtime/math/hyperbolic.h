// Hyperbolic functions, as fdlibm has them.
#ifndef CUFRT_MATH_HYPERBOLIC_H
#define CUFRT_MATH_HYPERBOLIC_H

#include "math/exp.h"
#include "math/expm1.h"

namespace {

constexpr float expOnlyFrom = 22; // e**-x does not count beside e**x

template <int N, typename Numbers>
Numbers tanhOf(Numbers x) {
  Numbers size = magnitude<N>(x);
  auto isOne = size >= expOnlyFrom, isLarge = size >= 1;
  size = harmless(size, isOne, Numbers(expOnlyFrom));
  Numbers twice = size + size, power = expm1Of<N>(isLarge ? twice : -twice);
  Numbers part = (isLarge ? Numbers(2) : -power) / (power + 2);
  Numbers result = isOne ? Numbers(1) : isLarge ? 1 - part : part;
  return withSignOf<N>(result, x);
}

// From where e**x is infinite.
inline double overflowFrom(double) { return 0x1.62e42p+9; }
inline float overflowFrom(float) { return 0x1.62e3p+6F; }

template <int N, typename Numbers, typename Real>
Numbers sinhOf(Numbers x, Real (*library)(Real)) {
  constexpr Real tiny = 0x1p-28F;
  Numbers size = magnitude<N>(x), half = withSignOf<N>(Numbers(0.5F), x);
  auto isFar = ~(size < overflowFrom(Real()));
  size = harmless(size, isFar, Numbers(0));
  auto isExp = size >= expOnlyFrom;
  Numbers power = expm1Of<N>(harmless(size, isExp, Numbers(0)));
  Numbers part = (size < 1 ? power * power : power) / (power + 1);
  Numbers result = half * (size < 1 ? 2 * power - part : power + part);
  result = size < tiny ? x : result;
  if (isAny(isExp))
    result = isExp ? half * expOf<N>(isExp ? size : Numbers(0)) : result;
  return isAny(isFar) ? whereSpecial(x, result, isFar, library) : result;
}
template <int N>
Doubles<N> sinhOf(Doubles<N> x) {
  return sinhOf<N, Doubles<N>, double>(x, sinh);
}
template <int N>
Floats<N> sinhOf(Floats<N> x) {
  return sinhOf<N, Floats<N>, float>(x, sinhf);
}

template <int N, typename Numbers, typename Real>
Numbers coshOf(Numbers x, Real (*library)(Real)) {
  constexpr float expm1Below = 0x1.62e43p-2F;
  Numbers size = magnitude<N>(x);
  auto isFar = ~(size < overflowFrom(Real()));
  size = harmless(size, isFar, Numbers(0));
  auto isNear = size < expm1Below;
  Numbers result = x;
  if (isAny(~isNear)) {
    Numbers power = expOf<N>(size);
    result = 0.5F * power + 0.5F / power;
  }
  if (isAny(isNear)) {
    Numbers power = expm1Of<N>(harmless(size, ~isNear, Numbers(0))), above = power + 1;
    result = isNear ? 1 + power * power / (above + above) : result;
  }
  return isAny(isFar) ? whereSpecial(x, result, isFar, library) : result;
}
template <int N>
Doubles<N> coshOf(Doubles<N> x) {
  return coshOf<N, Doubles<N>, double>(x, cosh);
}
template <int N>
Floats<N> coshOf(Floats<N> x) {
  return coshOf<N, Floats<N>, float>(x, coshf);
}

} // namespace
#endif // CUFRT_MATH_HYPERBOLIC_H
