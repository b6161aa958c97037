// Tables so short that AVX-512 keeps them in registers.
#ifndef CUFRT_MATH_SHORT_TABLES_H
#define CUFRT_MATH_SHORT_TABLES_H

#include "math/vectors.h"
#include <immintrin.h>

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

// table[index], index below 4. Every table of the same vector of indices takes one instruction.
template <int N>
Doubles<N> numbersAt(const double (&table)[4], Longs<N> index) {
#ifdef __AVX512F__
  if constexpr (N == 8)
    return _mm512_permutexvar_pd((__m512i)index, _mm512_broadcast_f64x4(_mm256_load_pd(table)));
  else
#endif
      if constexpr (N == 4) {
    const Longs<4> even = index + index, halves = even | (even + 1) << 32;
    return (Doubles<4>)_mm256_permutevar8x32_ps((__m256)_mm256_load_pd(table), (__m256i)halves);
  } else {
    Doubles<N> result;
    for (int lane = 0; lane < N; ++lane)
      result[lane] = table[index[lane]];
    return result;
  }
}
template <int N>
Floats<N> numbersAt(const float (&table)[4], Ints<N> index) {
  const __m128 numbers = _mm_load_ps(table);
#ifdef __AVX512F__
  if constexpr (N == 16)
    return _mm512_permutevar_ps(_mm512_broadcast_f32x4(numbers), (__m512i)index);
  else
#endif
      if constexpr (N == 8)
    return _mm256_permutevar_ps(_mm256_broadcast_ps(&numbers), (__m256i)index);
  else
    return _mm_permutevar_ps(numbers, (__m128i)index);
}
template <int N>
Floats<N> numbersAt(const float (&table)[8], Ints<N> index) {
  const __m256 numbers = _mm256_load_ps(table);
#ifdef __AVX512F__
  if constexpr (N == 16)
    return _mm512_permutexvar_ps((__m512i)index, _mm512_broadcast_f32x8(numbers));
  else
#endif
      if constexpr (N == 8)
    return _mm256_permutevar8x32_ps(numbers, (__m256i)index);
  else
    return _mm256_castps256_ps128(
        _mm256_permutevar8x32_ps(numbers, _mm256_castsi128_si256((__m128i)index)));
}

} // namespace
#endif // CUFRT_MATH_SHORT_TABLES_H
