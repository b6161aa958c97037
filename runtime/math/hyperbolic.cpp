// Hyperbolic functions of several lanes.
#include "math/hyperbolic.h"
#include "math/entries.h"

CUFRT_MATH_ENTRIES(tanh)
CUFRT_MATH_ENTRIES(sinh)
CUFRT_MATH_ENTRIES(cosh)
