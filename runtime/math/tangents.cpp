// Tangents of several lanes.
#include "math/tangents.h"
#include "math/entries.h"

CUFRT_MATH_ENTRIES(tan)
