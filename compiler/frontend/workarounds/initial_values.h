// Initial values of device variables of a main program, and of variables of device procedures.
// Private to frontend/.
#ifndef CUFC_FRONTEND_INITIAL_VALUES_H
#define CUFC_FRONTEND_INITIAL_VALUES_H

#include "frontend/edits.h"

namespace cufc {

// Assignments of the values, behind the program's declarations: flang allocates such
// variables when the program begins and forgets the values. Likewise behind the declarations of
// device procedures, for variables that these change; the diagnostics say so.
void assignInitialValues(FlangProgram &program, bool hasErrors, EditList &edits,
                         Diagnostics &diagnostics);

} // namespace cufc
#endif // CUFC_FRONTEND_INITIAL_VALUES_H
