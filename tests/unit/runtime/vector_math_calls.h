// Calls of the functions of runtime/math by numbers in memory: vectors are passed in registers that
// only code for such processors has.
#ifndef VECTOR_MATH_CALLS_H
#define VECTOR_MATH_CALLS_H

// Each length of each level; float##lanes and double##lanes.
#define CUFRT_MATH_CALLS_OF(kind, single, real, level)                                             \
  kind(single, float, 4, level) kind(single, float, 8, level) kind(real, double, 2, level)         \
      kind(real, double, 4, level)
#define CUFRT_MATH_WIDE_CALLS(kind, single, real)                                                  \
  kind(single, float, 16, 4) kind(real, double, 8, 4)
#define CUFRT_MATH_CALLS(kind, single, real)                                                       \
  CUFRT_MATH_CALLS_OF(kind, single, real, 3)                                                       \
  CUFRT_MATH_CALLS_OF(kind, single, real, 4)                                                       \
  CUFRT_MATH_WIDE_CALLS(kind, single, real)

#define CUFRT_MATH_DECLARE_ONE(function, real, lanes, level)                                       \
  void call_##function##lanes##_v##level(const real *x, real *y);
#define CUFRT_MATH_DECLARE_TWO(function, real, lanes, level)                                       \
  void call_##function##lanes##_v##level(const real *x, const real *power, real *y);

CUFRT_MATH_CALLS(CUFRT_MATH_DECLARE_ONE, expf, exp)
CUFRT_MATH_CALLS(CUFRT_MATH_DECLARE_ONE, logf, log)
CUFRT_MATH_CALLS(CUFRT_MATH_DECLARE_ONE, sinf, sin)
CUFRT_MATH_CALLS(CUFRT_MATH_DECLARE_ONE, cosf, cos)
CUFRT_MATH_CALLS(CUFRT_MATH_DECLARE_TWO, powf, pow)

#endif // VECTOR_MATH_CALLS_H
