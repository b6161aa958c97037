// Where CUF kernel directives stand. Private to frontend/.
#ifndef CUFC_FRONTEND_CUF_KERNEL_PLACES_H
#define CUFC_FRONTEND_CUF_KERNEL_PLACES_H

#include "frontend/flang_program.h"

namespace cufc {

// Before the analysis: a directive is about the next loop, also behind assignments such as that of
// a sum's first value. They run before the kernel.
void moveDirectivesToLoops(FlangProgram &program);

} // namespace cufc
#endif // CUFC_FRONTEND_CUF_KERNEL_PLACES_H
