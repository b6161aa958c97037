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
  void call_##function##lanes##_v##level(const real *x, const real *z, real *y) {                  \
    Vector<real, lanes> vector, other;                                                             \
    __builtin_memcpy(&vector, x, sizeof vector);                                                   \
    __builtin_memcpy(&other, z, sizeof other);                                                     \
    vector = cufrt_##function##_x##lanes##_v##level(vector, other);                                \
    __builtin_memcpy(y, &vector, sizeof vector);                                                   \
  }

// CALLS is the including file's.
#define DEFINE_CALLS(function) CALLS(DEFINE_ONE, function##f, function)
#define DEFINE_CALLS_OF_TWO(function) CALLS(DEFINE_TWO, function##f, function)
#define DEFINE_FUNCTIONS                                                                           \
  CUFRT_MATH_FUNCTIONS(DEFINE_CALLS) CUFRT_MATH_FUNCTIONS_OF_TWO(DEFINE_CALLS_OF_TWO)

#endif // VECTOR_MATH_DEFINITIONS_H
