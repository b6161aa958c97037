// e**x of several lanes.
#include "math/exp.h"
#include "math/entries.h"

CUFRT_MATH_ENTRIES(exp)
