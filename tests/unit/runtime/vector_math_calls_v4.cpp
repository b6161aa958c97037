// Calls for processors of level 4.
#include "vector_math_definitions.h"

#define CALLS(kind, single, real) CUFRT_MATH_CALLS_OF(kind, single, real, 4)

DEFINE_FUNCTIONS(CALLS)
DEFINE_FUNCTIONS(CUFRT_MATH_WIDE_CALLS)
