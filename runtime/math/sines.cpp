// Sines and cosines of several lanes.
#include "math/sines.h"
#include "math/entries.h"

CUFRT_MATH_ENTRIES(sin)
CUFRT_MATH_ENTRIES(cos)
