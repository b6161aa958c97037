// The names by which compiled code calls a function (compiler/codegen/cpu/vector_math.cpp): of the
// function, the lanes and the level of x86-64 that a file is compiled for.
//
//   float x 8 cufrt_expf_x8_v3(float x 8)
#ifndef CUFRT_MATH_ENTRIES_H
#define CUFRT_MATH_ENTRIES_H

#include "math/vectors.h"

#ifdef __AVX512F__
#define CUFRT_MATH_NAME(function, lanes) cufrt_##function##_x##lanes##_v4
#define CUFRT_MATH_IF_WIDE(entry) entry
#else
#define CUFRT_MATH_NAME(function, lanes) cufrt_##function##_x##lanes##_v3
#define CUFRT_MATH_IF_WIDE(entry)
#endif

#define CUFRT_MATH_SINGLE(function, lanes)                                                         \
  extern "C" Floats<lanes> CUFRT_MATH_NAME(function##f, lanes)(Floats<lanes> x) {                  \
    return function##Of<lanes>(x);                                                                 \
  }
#define CUFRT_MATH_DOUBLE(function, lanes)                                                         \
  extern "C" Doubles<lanes> CUFRT_MATH_NAME(function, lanes)(Doubles<lanes> x) {                   \
    return function##Of<lanes>(x);                                                                 \
  }
#define CUFRT_MATH_ENTRIES(function)                                                               \
  CUFRT_MATH_SINGLE(function, 4)                                                                   \
  CUFRT_MATH_SINGLE(function, 8)                                                                   \
  CUFRT_MATH_IF_WIDE(CUFRT_MATH_SINGLE(function, 16))                                              \
  CUFRT_MATH_DOUBLE(function, 2)                                                                   \
  CUFRT_MATH_DOUBLE(function, 4)                                                                   \
  CUFRT_MATH_IF_WIDE(CUFRT_MATH_DOUBLE(function, 8))

#define CUFRT_MATH_BOTH_OF_TWO(function, single, lanes)                                            \
  extern "C" Floats<single> CUFRT_MATH_NAME(function##f, single)(Floats<single> x,                 \
                                                                 Floats<single> y) {               \
    return function##Of<single>(x, y);                                                             \
  }                                                                                                \
  extern "C" Doubles<lanes> CUFRT_MATH_NAME(function, lanes)(Doubles<lanes> x, Doubles<lanes> y) { \
    return function##Of<lanes>(x, y);                                                              \
  }
#define CUFRT_MATH_ENTRIES_OF_TWO(function)                                                        \
  CUFRT_MATH_BOTH_OF_TWO(function, 4, 2)                                                           \
  CUFRT_MATH_BOTH_OF_TWO(function, 8, 4)                                                           \
  CUFRT_MATH_IF_WIDE(CUFRT_MATH_BOTH_OF_TWO(function, 16, 8))

#endif // CUFRT_MATH_ENTRIES_H
