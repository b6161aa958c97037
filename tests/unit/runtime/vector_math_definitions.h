// What vector_math_calls.h declares, for the level that the including file is compiled for. No
// headers of C++, whose functions would be everyone's.
#ifndef VECTOR_MATH_DEFINITIONS_H
#define VECTOR_MATH_DEFINITIONS_H

#include "vector_math_calls.h"

namespace {
template <typename Real, int N>
using Vector = Real __attribute__((ext_vector_type(N)));
}

#define DEFINE_ONE(function, real, lanes, level)                                                   \
  extern "C" Vector<real, lanes> cufrt_##function##_x##lanes##_v##level(Vector<real, lanes>);      \
  void call_##function##lanes##_v##level(const real *x, real *y) {                                 \
    Vector<real, lanes> vector;                                                                    \
    __builtin_memcpy(&vector, x, sizeof vector);                                                   \
    vector = cufrt_##function##_x##lanes##_v##level(vector);                                       \
    __builtin_memcpy(y, &vector, sizeof vector);                                                   \
  }
#define DEFINE_TWO(function, real, lanes, level)                                                   \
  extern "C" Vector<real, lanes> cufrt_##function##_x##lanes##_v##level(Vector<real, lanes>,       \
                                                                        Vector<real, lanes>);      \
  void call_##function##lanes##_v##level(const real *x, const real *power, real *y) {              \
    Vector<real, lanes> vector, powers;                                                            \
    __builtin_memcpy(&vector, x, sizeof vector);                                                   \
    __builtin_memcpy(&powers, power, sizeof powers);                                               \
    vector = cufrt_##function##_x##lanes##_v##level(vector, powers);                               \
    __builtin_memcpy(y, &vector, sizeof vector);                                                   \
  }

#define DEFINE_FUNCTIONS(calls)                                                                    \
  calls(DEFINE_ONE, expf, exp) calls(DEFINE_ONE, logf, log) calls(DEFINE_ONE, sinf, sin)           \
      calls(DEFINE_ONE, cosf, cos) calls(DEFINE_TWO, powf, pow)

#endif // VECTOR_MATH_DEFINITIONS_H
