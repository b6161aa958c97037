// x**y of several lanes.
#include "math/pow.h"
#include "math/entries.h"

#define CUFRT_MATH_POWERS(single, lanes)                                                           \
  extern "C" Floats<single> CUFRT_MATH_NAME(powf, single)(Floats<single> x, Floats<single> y) {    \
    return powOf<single>(x, y);                                                                    \
  }                                                                                                \
  extern "C" Doubles<lanes> CUFRT_MATH_NAME(pow, lanes)(Doubles<lanes> x, Doubles<lanes> y) {      \
    return powOf<lanes>(x, y);                                                                     \
  }

CUFRT_MATH_POWERS(4, 2)
CUFRT_MATH_POWERS(8, 4)
CUFRT_MATH_IF_WIDE(CUFRT_MATH_POWERS(16, 8))
