// Operands of the launch configuration of CUF kernel directives that flang does not take. Private
// to frontend/.
#ifndef CUFC_FRONTEND_LAUNCH_OPERANDS_H
#define CUFC_FRONTEND_LAUNCH_OPERANDS_H

#include "frontend/edits.h"

namespace cufc {

// A variable V of type dim3 becomes (V%x,V%y,V%z), an integer of another kind than 4 is converted.
void editLaunchOperands(const FlangProgram &program, EditList &edits);

} // namespace cufc
#endif // CUFC_FRONTEND_LAUNCH_OPERANDS_H
