// Vectors of N numbers, as Clang has them, and what the functions of this folder do with them.
//
// The folder's functions come out as those of the GNU C library, bit by bit, where that has fused
// operations: they take the same steps with the same constants, which are those of Arm's Optimized
// Routines, for sines of double precision IBM's Accurate Mathematical Library, and for most others
// Sun's fdlibm. The steps of exponentials, natural logarithms, powers, sines and cosines are those
// of 2.28 on, of others those of 2.36 in Debian 12; where another version takes others, results
// differ in the last digit. IBM's tangents and arcs are not followed: arc_tangents.h says how these
// come out. What the library leaves to code of its own (numbers that are not finite, results that
// are hardly numbers any more) is asked of it, lane by lane.
//
// Everything is of the file that includes it: each is compiled for several processors, and a linker
// that merged two of these copies might take the one for the newer.
#ifndef CUFRT_MATH_VECTORS_H
#define CUFRT_MATH_VECTORS_H

#include <cstdint>
#include <math.h>

namespace {

template <int N>
using Floats = float __attribute__((ext_vector_type(N)));
template <int N>
using Doubles = double __attribute__((ext_vector_type(N)));
template <int N>
using Ints = int32_t __attribute__((ext_vector_type(N)));
template <int N>
using Longs = int64_t __attribute__((ext_vector_type(N)));

template <int N>
Longs<N> bitsOf(Doubles<N> x) {
  return __builtin_bit_cast(Longs<N>, x);
}
template <int N>
Doubles<N> numbersOf(Longs<N> bits) {
  return __builtin_bit_cast(Doubles<N>, bits);
}
template <int N>
Ints<N> bitsOf(Floats<N> x) {
  return __builtin_bit_cast(Ints<N>, x);
}
template <int N>
Floats<N> numbersOf(Ints<N> bits) {
  return __builtin_bit_cast(Floats<N>, bits);
}

template <int N>
Longs<N> widened(Ints<N> x) {
  return __builtin_convertvector(x, Longs<N>);
}
template <int N>
Doubles<N> widened(Floats<N> x) {
  return __builtin_convertvector(x, Doubles<N>);
}
template <int N>
Floats<N> narrowed(Doubles<N> x) {
  return __builtin_convertvector(x, Floats<N>);
}

// a*b + c, rounded once.
template <int N>
Doubles<N> fused(Doubles<N> a, Doubles<N> b, Doubles<N> c) {
  return __builtin_elementwise_fma(a, b, c);
}
template <int N>
Doubles<N> fused(Doubles<N> a, double b, Doubles<N> c) {
  return fused<N>(a, Doubles<N>(b), c);
}
template <int N>
Doubles<N> magnitude(Doubles<N> x) {
  return __builtin_elementwise_abs(x);
}
template <int N>
Floats<N> magnitude(Floats<N> x) {
  return __builtin_elementwise_abs(x);
}
template <int N>
Doubles<N> withSignOf(Doubles<N> x, Doubles<N> sign) {
  return __builtin_elementwise_copysign(x, sign);
}
template <int N>
Floats<N> withSignOf(Floats<N> x, Floats<N> sign) {
  return __builtin_elementwise_copysign(x, sign);
}

// x, but other in the lanes of the mask, whose results are not used: so nothing is raised in them
// that ends programs which ask for that. The compiler may not see it, as it would save the choice.
template <typename Numbers, typename Mask>
Numbers harmless(Numbers x, Mask mask, Numbers other) {
  Numbers result = mask ? other : x;
  asm("" : "+v"(result));
  return result;
}

template <typename Mask>
bool isAny(Mask mask) {
  return __builtin_reduce_or(mask) != 0;
}

// Rows of a table with W numbers each, one for every lane; column c of them is result[c].
template <int N, int W>
struct Columns {
  Doubles<N> of[W];
};

template <int N, int W>
Columns<N, W> rowsAt(const double (*table)[W], Longs<N> index) {
  Columns<N, W> result;
  for (int lane = 0; lane < N; ++lane)
    for (int column = 0; column < W; ++column)
      result.of[column][lane] = table[index[lane]][column];
  return result;
}

// What the C library says in the lanes of the mask, y elsewhere. Seldom needed.
template <typename Numbers, typename Mask, typename Function>
[[gnu::noinline, gnu::cold]] Numbers whereSpecial(Numbers x, Numbers y, Mask mask,
                                                  Function function) {
  constexpr int lanes = sizeof(Mask) / sizeof(mask[0]);
  for (int i = 0; i < lanes; ++i)
    if (mask[i])
      y[i] = function(x[i]);
  return y;
}

template <typename Numbers, typename Mask, typename Function>
[[gnu::noinline, gnu::cold]] Numbers whereSpecial(Numbers x, Numbers z, Numbers y, Mask mask,
                                                  Function function) {
  constexpr int lanes = sizeof(Mask) / sizeof(mask[0]);
  for (int i = 0; i < lanes; ++i)
    if (mask[i])
      y[i] = function(x[i], z[i]);
  return y;
}

// As many as a register holds at once.
#ifdef __AVX512F__
constexpr int widestDoubles = 8;
#else
constexpr int widestDoubles = 4;
#endif

template <int N>
Floats<N> joined(Floats<N / 2> low, Floats<N / 2> high) {
  Floats<N> result;
  result.lo = low;
  result.hi = high;
  return result;
}

// As the parts of a number lie in it.
constexpr int exponentAt = 52, singleExponentAt = 23;
constexpr int32_t infinity = 0x7f800000;
constexpr int64_t doubleInfinity = int64_t{0x7ff} << exponentAt;

// Whether a number is not positive and normal; negative ones are negative integers.
template <int N>
Ints<N> isSpecial(Ints<N> bits) {
  constexpr int32_t least = 0x00800000;
  return (bits < least) | (bits >= infinity);
}
template <int N>
Longs<N> isSpecial(Longs<N> bits) {
  return (bits < int64_t{1} << exponentAt) | (bits >= doubleInfinity);
}

} // namespace
#endif // CUFRT_MATH_VECTORS_H
