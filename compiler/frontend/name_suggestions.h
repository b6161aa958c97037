// What a misspelled name may have been meant to be: the nearest one by edit distance among those
// that can stand at its place. Private to frontend/.
#ifndef CUFC_FRONTEND_NAME_SUGGESTIONS_H
#define CUFC_FRONTEND_NAME_SUGGESTIONS_H

#include "base/diagnostics.h"
#include "frontend/flang_program.h"

namespace cufc {

// The innermost scope around the place of a message; null if it has none.
const Fortran::semantics::Scope *scopeAround(const FlangProgram &program,
                                             const Fortran::parser::Message &message);

// The subprogram, main program or module that a scope belongs to; null for null.
const Fortran::semantics::Scope *unitOf(const Fortran::semantics::Scope *scope);

// Adds "did you mean 'x'?" and a fix to a diagnostic about a name that is not known, in `scope`.
void suggestName(Diagnostic &diagnostic, const Fortran::semantics::Scope *scope,
                 const FlangProgram &program);

} // namespace cufc
#endif // CUFC_FRONTEND_NAME_SUGGESTIONS_H
