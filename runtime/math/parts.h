// Numbers as a power of two times a number near one.
#ifndef CUFRT_MATH_PARTS_H
#define CUFRT_MATH_PARTS_H

#include "math/short_tables.h"

namespace {

// x = 2**k * z, z in [0.7, 1.4].
template <int N>
struct Parts {
  Longs<N> part; // of 16, modulo 16
  Doubles<N> k, z;
};
template <int N>
Parts<N> partsOf(Ints<N> bits) {
  constexpr int32_t least = 0x3f330000, exponents = 0x7f800000 | INT32_MIN;
  Ints<N> above = bits - least;
  return {widened<N>(above >> 19), __builtin_convertvector(above >> 23, Doubles<N>),
          widened<N>(numbersOf<N>(bits - (above & exponents)))};
}

// 1/c for a c in the i-th of 16 parts of [0.7, 1.4].
alignas(64) const double inverses[16] = {0x1.661ec79f8f3bep+0, 0x1.571ed4aaf883dp+0,
                                         0x1.49539f0f010bp+0,  0x1.3c995b0b80385p+0,
                                         0x1.30d190c8864a5p+0, 0x1.25e227b0b8eap+0,
                                         0x1.1bb4a4a1a343fp+0, 0x1.12358f08ae5bap+0,
                                         0x1.0953f419900a7p+0, 0x1p+0,
                                         0x1.e608cfd9a47acp-1, 0x1.ca4b31f026aap-1,
                                         0x1.b2036576afce6p-1, 0x1.9c2d163a1aa2dp-1,
                                         0x1.886e6037841edp-1, 0x1.767dcf5534862p-1};

// x = 2**k * z, z from the least up to twice that.
template <int N>
struct DoubleParts {
  Longs<N> part; // of 128
  Doubles<N> k, z;
};
template <int N>
DoubleParts<N> partsOf(Longs<N> bits, int64_t least) {
  constexpr int64_t exponents = -(int64_t{1} << exponentAt);
  constexpr int partBits = 7;
  Longs<N> above = bits - least;
  Ints<N> k = __builtin_convertvector(above >> exponentAt, Ints<N>);
  return {(above >> (exponentAt - partBits)) & ((1 << partBits) - 1),
          __builtin_convertvector(k, Doubles<N>), numbersOf<N>(bits - (above & exponents))};
}

// log(2) in two numbers, the first with few digits.
constexpr double log2High = 0x1.62e42fefa38p-1, log2Low = 0x1.ef35793c7673p-45;

} // namespace
#endif // CUFRT_MATH_PARTS_H
