// See instantiated.h.
#include "frontend/instantiated.h"

CUFC_INSTANTIATED()
