// Where CUF kernel directives stand. Private to frontend/.
#ifndef CUFC_FRONTEND_CUF_KERNEL_PLACES_H
#define CUFC_FRONTEND_CUF_KERNEL_PLACES_H

#include "base/diagnostics.h"
#include "frontend/flang_program.h"

namespace cufc {

// Before the analysis: a directive is about the next loop, also behind assignments such as that of
// a sum's first value. They run before the kernel; a warning says so (CUF0283). What stands between
// its loops goes into the innermost one (nested_statements.h). MODULE PROCEDURE may name routines
// of CUDA libraries.
void moveDirectivesToLoops(FlangProgram &program, Diagnostics &diagnostics);

} // namespace cufc
#endif // CUFC_FRONTEND_CUF_KERNEL_PLACES_H
