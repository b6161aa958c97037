// Extensions of CUDA Fortran that flang takes after an edit of the source: c_f_pointer with an
// allocatable, shared arrays of assumed size with several dimensions. Private to frontend/.
#ifndef CUFC_FRONTEND_POINTER_CALLS_H
#define CUFC_FRONTEND_POINTER_CALLS_H

#include "frontend/edits.h"

namespace cufc {

// Where c_f_pointer is called with an allocatable on the device, which flang refuses: edits that
// make it a call of cudafor's cufrt_c_f_pointer and, if USE statements with ONLY keep that from the
// scope, name it there. Nothing for a call where cudafor is not used.
void namePointerCalls(const FlangProgram &program, EditList &edits);

// Where shared arrays like s(8, *) are declared: edits that give the asterisk the value
// assumedExtent.
void giveExtentsToSharedArrays(const FlangProgram &program, EditList &edits);

} // namespace cufc
#endif // CUFC_FRONTEND_POINTER_CALLS_H
