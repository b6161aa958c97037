// Local variables of device code whose types need work at the begin and the end of their lives:
// components to be freed, and FINAL procedures, which are host code.
#include "base/diag.h"
#include "checks/check.h"

namespace cufc {
namespace {

using namespace Fortran;

bool needsCleaning(const semantics::Symbol &symbol) {
  const auto *type = symbol.GetType();
  const semantics::DerivedTypeSpec *derived = type ? type->AsDerived() : nullptr;
  if (!derived || semantics::IsDummy(symbol) || semantics::IsAllocatableOrPointer(symbol))
    return false;
  return bool{semantics::FindAllocatableUltimateComponent(*derived)} ||
         semantics::IsFinalizable(*derived);
}

void checkScope(CheckContext &context, const semantics::Scope &scope) {
  if (scope.IsModuleFile())
    return;
  bool ofProcedure = scope.kind() == semantics::Scope::Kind::Subprogram ||
                     scope.kind() == semantics::Scope::Kind::BlockConstruct;
  if (ofProcedure && semantics::FindCUDADeviceContext(&scope))
    for (const auto &[name, symbol] : scope)
      if (&symbol->owner() == &scope && symbol->has<semantics::ObjectEntityDetails>() &&
          needsCleaning(*symbol))
        context.report(Diag::DeviceUnsupportedCall, symbol->name(),
                       "a variable of a type with allocatable components or FINAL procedures");
  for (const semantics::Scope &child : scope.children())
    checkScope(context, child);
}

} // namespace

void checkDeviceTypes(CheckContext &context) {
  checkScope(context, context.program.context->globalScope());
}

} // namespace cufc
