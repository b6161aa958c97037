// Arc tangents of several lanes.
#include "math/arc_tangents.h"
#include "math/entries.h"

CUFRT_MATH_ENTRIES(atan)
CUFRT_MATH_ENTRIES_OF_TWO(atan2)
