// Inverse hyperbolic functions: logarithms, as fdlibm has them.
#ifndef CUFRT_MATH_INVERSE_HYPERBOLIC_H
#define CUFRT_MATH_INVERSE_HYPERBOLIC_H

#include "math/log.h"
#include "math/log1p.h"

namespace {

constexpr float log2Single = 0x1.62e43p-1F;
constexpr double log2Double = 0x1.62e42fefa39efp-1;

// log(1 + x) or, where asked for, log(x); a bit in special where the library must tell.
template <int N, typename Numbers, typename Mask>
Numbers logarithm(Numbers x, Mask isPlain, Mask &special) {
  Numbers result = x;
  if (isAny(~isPlain)) {
    auto reduced = reducedLogarithm<N>(harmless(x, isPlain, Numbers(0)));
    special |= reduced.isRound;
    result = log1pOf<N>(reduced);
  }
  if (isAny(isPlain))
    result = isPlain ? logOf<N>(harmless(x, ~isPlain, Numbers(2))) : result;
  return result;
}

template <int N, typename Mask, typename Numbers, typename Real>
Numbers asinhOf(Numbers x, Real tiny, Real plainFrom, Real farFrom, Real log2,
                Real (*library)(Real)) {
  Numbers size = magnitude<N>(x);
  Mask special = ~(size < __builtin_inff()), isFar = size >= farFrom, isPlain = size >= plainFrom;
  Numbers near = harmless(size, isFar | special, Numbers(1)), square = near * near;
  Numbers root = __builtin_elementwise_sqrt(square + 1);
  Numbers part = (isPlain ? Numbers(1) : square) / (root + (isPlain ? near : Numbers(1)));
  Numbers argument = (isPlain ? 2 * near : near) + part;
  argument = isFar ? size : argument;
  Numbers result = logarithm<N>(special ? Numbers(1) : argument, isPlain, special);
  result = isFar ? result + log2 : result;
  result = size < tiny ? x : withSignOf<N>(result, x);
  return isAny(special) ? whereSpecial(x, result, special, library) : result;
}
template <int N>
Doubles<N> asinhOf(Doubles<N> x) {
  return asinhOf<N, Longs<N>, Doubles<N>, double>(x, 0x1p-28, 0x1.00001p+1, 0x1.00001p+28,
                                                  log2Double, asinh);
}
template <int N>
Floats<N> asinhOf(Floats<N> x) {
  return asinhOf<N, Ints<N>, Floats<N>, float>(x, 0x1p-15F, 0x1.000002p+1F, 0x1.000002p+15F,
                                               log2Single, asinhf);
}

template <int N, typename Mask, typename Numbers, typename Real>
Numbers acoshOf(Numbers x, Real log2, Real (*library)(Real)) {
  constexpr float farFrom = 0x1p+28F;
  Mask special = ~((x >= 1) & (x < __builtin_inff())), isFar = x >= farFrom, isPlain = x > 2;
  Numbers near = harmless(x, isFar | special, Numbers(1)), above = near - 1;
  Numbers root = __builtin_elementwise_sqrt(isPlain ? near * near - 1 : 2 * above + above * above);
  Numbers argument = isPlain ? 2 * near - 1 / (near + root) : above + root;
  argument = isFar ? x : argument;
  Numbers result = logarithm<N>(special ? Numbers(1) : argument, isPlain, special);
  result = isFar ? result + log2 : result;
  return isAny(special) ? whereSpecial(x, result, special, library) : result;
}
template <int N>
Doubles<N> acoshOf(Doubles<N> x) {
  return acoshOf<N, Longs<N>, Doubles<N>, double>(x, log2Double, acosh);
}
template <int N>
Floats<N> acoshOf(Floats<N> x) {
  return acoshOf<N, Ints<N>, Floats<N>, float>(x, log2Single, acoshf);
}

template <int N, typename Mask, typename Numbers, typename Real>
Numbers atanhOf(Numbers x, Real (*library)(Real)) {
  constexpr float tiny = 0x1p-28F;
  Numbers size = magnitude<N>(x);
  Mask special = ~(size < 1), isNear = size < 0.5F;
  size = harmless(size, special, Numbers(0));
  Numbers twice = size + size, part = (isNear ? twice * size : twice) / (1 - size);
  auto reduced = reducedLogarithm<N>(isNear ? twice + part : part);
  special |= reduced.isRound;
  Numbers result = withSignOf<N>(0.5F * log1pOf<N>(reduced), x);
  result = size < tiny ? x : result;
  return isAny(special) ? whereSpecial(x, result, special, library) : result;
}
template <int N>
Doubles<N> atanhOf(Doubles<N> x) {
  return atanhOf<N, Longs<N>, Doubles<N>, double>(x, atanh);
}
template <int N>
Floats<N> atanhOf(Floats<N> x) {
  return atanhOf<N, Ints<N>, Floats<N>, float>(x, atanhf);
}

} // namespace
#endif // CUFRT_MATH_INVERSE_HYPERBOLIC_H
