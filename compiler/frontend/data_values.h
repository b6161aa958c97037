// Values of DATA statements. Private to frontend/.
#ifndef CUFC_FRONTEND_DATA_VALUES_H
#define CUFC_FRONTEND_DATA_VALUES_H

#include "frontend/flang_program.h"

namespace cufc {

// After an analysis whose errors were all false: flang gives variables the values of DATA
// statements, and combines those of EQUIVALENCE, last and after no error.
void completeInitialValues(FlangProgram &program);

} // namespace cufc
#endif // CUFC_FRONTEND_DATA_VALUES_H
