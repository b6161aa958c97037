// Declarations of type parameters that stand behind PRIVATE, SEQUENCE or components of their type.
// Private to frontend/.
#ifndef CUFC_FRONTEND_TYPE_PARAMETERS_H
#define CUFC_FRONTEND_TYPE_PARAMETERS_H

#include "frontend/flang_program.h"

namespace cufc {

// After prescanning: for the types of the file at `path`, insertions that put such declarations
// behind the TYPE statement, where F2023 R726 wants them. nvfortran takes them anywhere. One that
// is continued or comes from a macro stays, and is the parser's error.
std::vector<Edit> typeParametersFirst(const FlangProgram &program, const std::string &path);

} // namespace cufc
#endif // CUFC_FRONTEND_TYPE_PARAMETERS_H
