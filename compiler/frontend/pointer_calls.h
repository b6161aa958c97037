// Extensions of CUDA Fortran that flang takes after an edit of the source: c_f_pointer with an
// allocatable, shared arrays of assumed size with several dimensions. Private to frontend/.
#ifndef CUFC_FRONTEND_POINTER_CALLS_H
#define CUFC_FRONTEND_POINTER_CALLS_H

#include "frontend/flang_program.h"

namespace cufc {

// Where the source file at `path` calls c_f_pointer with an allocatable on the device, which flang
// refuses: insertions that make it a call of cudafor's cufrt_c_f_pointer and, if USE statements
// with ONLY keep that from the scope, name it there. Nothing for a call where cudafor is not used.
std::vector<Edit> namesForPointerCalls(const FlangProgram &program, const std::string &path);

// Where the source file at `path` declares shared arrays like s(8, *): insertions that give the
// asterisk the value assumedExtent.
std::vector<Edit> extentsOfSharedArrays(const FlangProgram &program, const std::string &path);

} // namespace cufc
#endif // CUFC_FRONTEND_POINTER_CALLS_H
