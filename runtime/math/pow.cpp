// x**y of several lanes.
#include "math/pow.h"
#include "math/entries.h"

CUFRT_MATH_ENTRIES_OF_TWO(pow)
