// Numbers as sums of two, and what of them is certain to be the library's result.
#ifndef CUFRT_MATH_PAIRS_H
#define CUFRT_MATH_PAIRS_H

#include "math/vectors.h"

namespace {

template <int N>
struct Pair {
  Doubles<N> high, low;
};

// a + b, a being zero or the larger.
template <int N>
Pair<N> sumOf(Doubles<N> a, Doubles<N> b) {
  Doubles<N> sum = a + b;
  return {sum, a - sum + b};
}

// An angle and by how much the library's may be wrong.
template <int N>
struct Arc {
  Pair<N> angle;
  Doubles<N> error;
};

// base + sign * (nearest + rest + low), nearest being zero or larger than the rest.
template <int N>
Pair<N> angleOf(Pair<N> base, Doubles<N> sign, Doubles<N> nearest, Doubles<N> rest,
                Doubles<N> low) {
  Pair<N> large = sumOf<N>(base.high, sign * nearest), angle = sumOf<N>(large.high, sign * rest);
  return {angle.high, angle.low + fused<N>(sign, low, large.low + base.low)};
}

constexpr double piHigh = 0x1.921fb54442d18p+1, piLow = 0x1.1a62633145c07p-53;

// Where numbers that differ from x by an error up to this may be rounded to several ones.
template <int N>
Longs<N> isUncertain(Pair<N> x, Doubles<N> error) {
  return ~(x.high + (x.low - error) == x.high + (x.low + error));
}

} // namespace
#endif // CUFRT_MATH_PAIRS_H
