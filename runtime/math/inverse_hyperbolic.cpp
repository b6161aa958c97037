// Inverse hyperbolic functions of several lanes.
#include "math/inverse_hyperbolic.h"
#include "math/entries.h"

CUFRT_MATH_ENTRIES(asinh)
CUFRT_MATH_ENTRIES(acosh)
CUFRT_MATH_ENTRIES(atanh)
