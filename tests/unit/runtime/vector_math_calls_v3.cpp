// Calls for processors of level 3.
#include "vector_math_definitions.h"

#define CALLS(kind, single, real) CUFRT_MATH_CALLS_OF(kind, single, real, 3)

DEFINE_FUNCTIONS
