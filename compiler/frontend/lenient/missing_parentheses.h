// References to functions without parentheses. Private to frontend/.
#ifndef CUFC_FRONTEND_MISSING_PARENTHESES_H
#define CUFC_FRONTEND_MISSING_PARENTHESES_H

#include "base/diagnostics.h"
#include "frontend/edits.h"

namespace cufc {

// Where the name of a function that needs no arguments is a value, istat = cudaDeviceSynchronize:
// edits that make the parentheses, and a warning (CUF0285). nvfortran takes it for a call.
void parenthesiseFunctions(const FlangProgram &program, EditList &edits, Diagnostics &diagnostics);

} // namespace cufc
#endif // CUFC_FRONTEND_MISSING_PARENTHESES_H
