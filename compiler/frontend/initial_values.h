// Initial values of device variables of a main program. Private to frontend/.
#ifndef CUFC_FRONTEND_INITIAL_VALUES_H
#define CUFC_FRONTEND_INITIAL_VALUES_H

#include "frontend/edits.h"

namespace cufc {

// Assignments of the values, behind the program's declarations: flang allocates such
// variables when the program begins and forgets the values.
void assignInitialValues(FlangProgram &program, bool hasErrors, EditList &edits);

} // namespace cufc
#endif // CUFC_FRONTEND_INITIAL_VALUES_H
