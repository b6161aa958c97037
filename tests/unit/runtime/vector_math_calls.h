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
  void call_##function##lanes##_v##level(const real *x, const real *z, real *y);

// The functions of one number, and of two.
#define CUFRT_MATH_FUNCTIONS(kind)                                                                 \
  kind(exp) kind(log) kind(sin) kind(cos) kind(tanh) kind(sinh) kind(cosh) kind(erf) kind(erfc)    \
      kind(atan) kind(tan) kind(asin) kind(acos) kind(log10) kind(asinh) kind(acosh) kind(atanh)
#define CUFRT_MATH_FUNCTIONS_OF_TWO(kind) kind(pow) kind(atan2)

#define CUFRT_MATH_DECLARE_CALLS(function)                                                         \
  CUFRT_MATH_CALLS(CUFRT_MATH_DECLARE_ONE, function##f, function)
#define CUFRT_MATH_DECLARE_CALLS_OF_TWO(function)                                                  \
  CUFRT_MATH_CALLS(CUFRT_MATH_DECLARE_TWO, function##f, function)

CUFRT_MATH_FUNCTIONS(CUFRT_MATH_DECLARE_CALLS)
CUFRT_MATH_FUNCTIONS_OF_TWO(CUFRT_MATH_DECLARE_CALLS_OF_TWO)

#endif // VECTOR_MATH_CALLS_H
