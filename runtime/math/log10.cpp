// Decimal logarithms of several lanes.
#include "math/log10.h"
#include "math/entries.h"

CUFRT_MATH_ENTRIES(log10)
