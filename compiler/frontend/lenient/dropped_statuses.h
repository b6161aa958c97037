// Functions that are called like subroutines. Private to frontend/.
#ifndef CUFC_FRONTEND_DROPPED_STATUSES_H
#define CUFC_FRONTEND_DROPPED_STATUSES_H

#include "base/diagnostics.h"
#include "frontend/edits.h"

namespace cufc {

// call cudaProfilerStop(), where host code calls a function of the modules that come with the
// compiler, whose result is a status: edits that drop the status, and a warning (CUF0295).
// nvfortran takes such calls.
void dropStatuses(const FlangProgram &program, EditList &edits, Diagnostics &diagnostics);

} // namespace cufc
#endif // CUFC_FRONTEND_DROPPED_STATUSES_H
