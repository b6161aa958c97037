// e**x - 1, by a rational function after taking multiples of log(2) away, as fdlibm has it; the GNU
// C library compiles that for double precision with fused operations, and for single without.
#ifndef CUFRT_MATH_EXPM1_H
#define CUFRT_MATH_EXPM1_H

#include "math/vectors.h"

namespace {

// x = k*log(2) + rest + tail.
template <typename Numbers, typename Bits>
struct ReducedPower {
  Numbers rest, tail, k;
  Bits bits; // k as an integer
};

template <int N>
ReducedPower<Doubles<N>, Longs<N>> reducedPower(Doubles<N> x) {
  constexpr double none = 0x1.62e43p-2, inverse = 0x1.71547652b82fep+0, shift = 0x1.8p52;
  constexpr double high = 0x1.62e42feep-1, low = 0x1.a39ef35793c76p-33; // log(2)
  Doubles<N> k = __builtin_elementwise_trunc(x * inverse + withSignOf<N>(Doubles<N>(0.5), x));
  k = magnitude<N>(x) < none ? Doubles<N>(0) : k;
  Doubles<N> first = fused<N>(k, -high, x), second = k * low, rest = first - second;
  return {rest, first - rest - second, k, bitsOf<N>(k + shift)};
}

template <int N>
ReducedPower<Floats<N>, Ints<N>> reducedPower(Floats<N> x) {
  constexpr float none = 0x1.62e43p-2F, once = 0x1.0a2b24p+0F, inverse = 0x1.715476p+0F;
  constexpr float shift = 0x1.8p23F, high = 0x1.62e3p-1F, low = 0x1.2fefa2p-17F; // log(2)
  Floats<N> size = magnitude<N>(x), half = withSignOf<N>(Floats<N>(0.5F), x);
  Floats<N> k = __builtin_elementwise_trunc(x * inverse + half);
  k = size < once ? withSignOf<N>(Floats<N>(1), x) : k;
  k = size <= none ? Floats<N>(0) : k;
  Floats<N> first = x - k * high, second = k * low, rest = first - second;
  return {rest, first - rest - second, k, bitsOf<N>(k + shift)};
}

// r - e, e times 2**k and less 1, from k and 2**-k.
template <int mostWithOne, typename Numbers, typename Bits>
Numbers scaledLessOne(ReducedPower<Numbers, Bits> x, Numbers e, Numbers power, Numbers scale) {
  constexpr int least = -1, far = 56, upperPart = 1;
  Numbers r = x.rest, k = x.k;
  Bits isWhole = (k < least) | (k > far); // 1 is taken away behind
  Numbers near = (isWhole ? Numbers(1) : 1 - power) - (e - r);
  near = ((k == upperPart) & (r < -0.25F)) ? (r + 0.5F) - e : near;
  Numbers large = r - (e + power) + 1;
  Numbers y = (((k > mostWithOne) & ~isWhole) ? large : near) * scale;
  return isWhole ? y - 1 : y;
}

// For -38 < x < 709.
template <int N>
Doubles<N> expm1Of(Doubles<N> x) {
  constexpr int64_t one = int64_t{1023} << exponentAt;
  constexpr int mostWithOne = 19;
  auto reduced = reducedPower<N>(x);
  Doubles<N> r = reduced.rest, c = reduced.tail, half = r * 0.5, square = r * half;
  Doubles<N> first = fused<N>(square, -0x1.11111111110f4p-5, Doubles<N>(1));
  Doubles<N> second = fused<N>(square, -0x1.4ce199eaadbb7p-14, Doubles<N>(0x1.a01a019fe5585p-10));
  Doubles<N> third = fused<N>(square, -0x1.afdb76e09c32dp-23, Doubles<N>(0x1.0cfca86e65239p-18));
  Doubles<N> square2 = square * square;
  Doubles<N> p = fused<N>(square2 * square2, third, fused<N>(square2, second, first));
  Doubles<N> t = fused<N>(-p, half, Doubles<N>(3));
  Doubles<N> e = square * ((p - t) / fused<N>(-r, t, Doubles<N>(6)));
  e = reduced.k == 0 ? fused<N>(r, e, -square) : fused<N>(r, e - c, -c) - square;
  Longs<N> exponent = reduced.bits << exponentAt;
  return scaledLessOne<mostWithOne>(reduced, e, numbersOf<N>(one - exponent),
                                    numbersOf<N>(one + exponent));
}

// For -18 < x < 88.
template <int N>
Floats<N> expm1Of(Floats<N> x) {
  constexpr int32_t one = 127 << singleExponentAt;
  constexpr int mostWithOne = 22;
  auto reduced = reducedPower<N>(x);
  Floats<N> r = reduced.rest, c = reduced.tail, half = r * 0.5F, square = r * half;
  Floats<N> p = square * -0x1.afdb76p-23F + 0x1.0cfca8p-18F;
  p = square * p + -0x1.4ce19ap-14F;
  p = square * p + 0x1.a01a02p-10F;
  p = square * p + -0x1.111112p-5F;
  p = square * p + 1;
  Floats<N> t = 3 - p * half, e = square * ((p - t) / (6 - r * t));
  e = (reduced.k == 0 ? r * e : r * (e - c) - c) - square;
  Ints<N> exponent = reduced.bits << singleExponentAt;
  return scaledLessOne<mostWithOne>(reduced, e, numbersOf<N>(one - exponent),
                                    numbersOf<N>(one + exponent));
}

} // namespace
#endif // CUFRT_MATH_EXPM1_H
