// The scopes of a text among those of the modules that it uses. For frontend/ and checks/.
#ifndef CUFC_FRONTEND_OWN_SCOPES_H
#define CUFC_FRONTEND_OWN_SCOPES_H

#include "flang/Semantics/scope.h"
#include <vector>

namespace cufc {

// The program units of the text. A submodule's scope lies in that of its module, which may come
// from a module file.
std::vector<const Fortran::semantics::Scope *> ownScopes(const Fortran::semantics::Scope &global);

} // namespace cufc
#endif // CUFC_FRONTEND_OWN_SCOPES_H
