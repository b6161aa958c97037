// References to functions without parentheses. Private to frontend/.
#ifndef CUFC_FRONTEND_MISSING_PARENTHESES_H
#define CUFC_FRONTEND_MISSING_PARENTHESES_H

#include "base/diagnostics.h"
#include "frontend/flang_program.h"

namespace cufc {

// Where the source file at `path` has the name of a function that needs no arguments as a value,
// istat = cudaDeviceSynchronize: insertions of the parentheses, and a warning (CUF0285). nvfortran
// takes it for a call.
std::vector<Edit> parenthesesForFunctions(const FlangProgram &program, const std::string &path,
                                          Diagnostics &diagnostics);

} // namespace cufc
#endif // CUFC_FRONTEND_MISSING_PARENTHESES_H
