// Arc sines and cosines of several lanes.
#include "math/arc_sines.h"
#include "math/entries.h"

CUFRT_MATH_ENTRIES(asin)
CUFRT_MATH_ENTRIES(acos)
