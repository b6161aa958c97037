// Calls of the procedures of ieee_arithmetic with data on the device. Private to frontend/.
#ifndef CUFC_FRONTEND_IEEE_CALLS_H
#define CUFC_FRONTEND_IEEE_CALLS_H

#include "frontend/edits.h"

namespace cufc {

// Variables of device code have the device attribute, which the dummies of flang's module
// ieee_arithmetic lack, so that no specific procedure seems to fit. Where flang refuses a call of
// theirs: edits that make expressions of the variables among its arguments, since an expression has
// no such attribute.
void parenthesiseIeeeArguments(FlangProgram &program, EditList &edits);

} // namespace cufc
#endif // CUFC_FRONTEND_IEEE_CALLS_H
