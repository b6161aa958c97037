// Calls of the procedures of ieee_arithmetic with data on the device. Private to frontend/.
#ifndef CUFC_FRONTEND_IEEE_CALLS_H
#define CUFC_FRONTEND_IEEE_CALLS_H

#include "frontend/flang_program.h"

namespace cufc {

// Variables of device code have the device attribute, which the dummies of flang's module
// ieee_arithmetic lack, so that no specific procedure seems to fit. Where the source file at `path`
// has a call of theirs that flang refuses: insertions that make expressions of the variables among
// its arguments, since an expression has no such attribute.
std::vector<Edit> parenthesesForIeeeCalls(FlangProgram &program, const std::string &path);

} // namespace cufc
#endif // CUFC_FRONTEND_IEEE_CALLS_H
