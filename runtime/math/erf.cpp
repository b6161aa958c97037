// The error function and its complement, of several lanes.
#include "math/erf.h"
#include "math/entries.h"

CUFRT_MATH_ENTRIES(erf)
CUFRT_MATH_ENTRIES(erfc)
