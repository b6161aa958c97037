// Arrays, characters and procedures given to TYPE(C_PTR) and TYPE(C_FUNPTR) dummy arguments with
// the VALUE attribute and IGNORE_TKR, as interfaces of C procedures have them in older CUDA
// Fortran: the address is passed. flang refuses an array and a procedure there, and would pass the
// first bytes of a character.
#ifndef CUFC_FRONTEND_ADDRESS_ARGUMENTS_H
#define CUFC_FRONTEND_ADDRESS_ARGUMENTS_H

#include "frontend/edits.h"

namespace cufc {

// Edits that put LOC around such arguments, in a source that has errors, declares such dummies or
// uses a module that does.
void passAddressesOfArguments(const FlangProgram &program, bool hasErrors, EditList &edits);

} // namespace cufc
#endif // CUFC_FRONTEND_ADDRESS_ARGUMENTS_H
