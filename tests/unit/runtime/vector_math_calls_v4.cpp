// Calls for processors of level 4.
#include "vector_math_definitions.h"

#define CALLS(kind, single, real)                                                                  \
  CUFRT_MATH_CALLS_OF(kind, single, real, 4) CUFRT_MATH_WIDE_CALLS(kind, single, real)

DEFINE_FUNCTIONS
