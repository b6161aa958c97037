// Walks over the scopes of the text that is checked. A submodule lies in the scope of its module,
// which may come from a module file; what such files declare is left out. Private to checks/.
#ifndef CUFC_CHECKS_SCOPES_H
#define CUFC_CHECKS_SCOPES_H

#include "checks/check.h"
#include "frontend/own_scopes.h"

namespace cufc {

template <typename Visit>
void forEachScopeIn(const Fortran::semantics::Scope &scope, Visit &visit) {
  visit(scope);
  for (const Fortran::semantics::Scope &child : scope.children())
    forEachScopeIn(child, visit);
}

template <typename Visit>
void forEachScope(const CheckContext &context, Visit visit) {
  for (const Fortran::semantics::Scope *unit : ownScopes(context.program.context->globalScope()))
    forEachScopeIn(*unit, visit);
}

// The variables and constants that scopes declare themselves.
template <typename Visit>
void forEachObject(const CheckContext &context, Visit visit) {
  forEachScope(context, [&](const Fortran::semantics::Scope &scope) {
    for (const auto &[name, symbol] : scope)
      if (&symbol->owner() == &scope && symbol->has<Fortran::semantics::ObjectEntityDetails>())
        visit(*symbol);
  });
}

// Whether a scope is that of a device procedure, or of a BLOCK in one.
inline bool isOfDeviceProcedure(const Fortran::semantics::Scope &scope) {
  bool ofProcedure = scope.kind() == Fortran::semantics::Scope::Kind::Subprogram ||
                     scope.kind() == Fortran::semantics::Scope::Kind::BlockConstruct;
  return ofProcedure && Fortran::semantics::FindCUDADeviceContext(&scope);
}

} // namespace cufc
#endif // CUFC_CHECKS_SCOPES_H
