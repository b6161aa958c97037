// Tables so short that AVX-512 keeps them in registers.
#ifndef CUFRT_MATH_SHORT_TABLES_H
#define CUFRT_MATH_SHORT_TABLES_H

#include "math/vectors.h"
#ifdef __AVX512F__
#include <immintrin.h>
#endif

namespace {

#ifdef __AVX512F__
inline Doubles<8> oneOf16(const double *table, Longs<8> index) {
  return _mm512_permutex2var_pd(_mm512_load_pd(table), (__m512i)index, _mm512_load_pd(table + 8));
}
#endif

// table[index modulo its length].
template <int N>
Doubles<N> numbersAt(const double (&table)[16], Longs<N> index) {
#ifdef __AVX512F__
  if constexpr (N == 8)
    return oneOf16(table, index);
#endif
  Doubles<N> result;
  for (int lane = 0; lane < N; ++lane)
    result[lane] = table[index[lane] & 15];
  return result;
}
template <int N>
Doubles<N> numbersAt(const double (&table)[32], Longs<N> index) {
#ifdef __AVX512F__
  if constexpr (N == 8)
    return (index & 16) != 0 ? oneOf16(table + 16, index) : oneOf16(table, index);
#endif
  Doubles<N> result;
  for (int lane = 0; lane < N; ++lane)
    result[lane] = table[index[lane] & 31];
  return result;
}

} // namespace
#endif // CUFRT_MATH_SHORT_TABLES_H
