// Natural logarithms of several lanes.
#include "math/log.h"
#include "math/entries.h"

CUFRT_MATH_ENTRIES(log)
