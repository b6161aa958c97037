// Attributes of data that contradict each other and that flang lets pass or only warns of.
#include "base/diag.h"
#include "checks/check.h"

namespace cufc {
namespace {

using namespace Fortran;

void checkPinned(CheckContext &context, const semantics::Symbol &symbol) {
  if (semantics::IsAllocatable(symbol) || semantics::IsPointer(symbol) ||
      semantics::IsDummy(symbol))
    return;
  context.report(Diag::PinnedNotAllocatable, symbol.name(), symbol.name().ToString());
}

void checkScope(CheckContext &context, const semantics::Scope &scope) {
  if (scope.IsModuleFile())
    return;
  for (const auto &[name, symbol] : scope)
    if (&symbol->owner() == &scope && symbol->has<semantics::ObjectEntityDetails>() &&
        semantics::GetCUDADataAttr(&*symbol) == common::CUDADataAttr::Pinned)
      checkPinned(context, *symbol);
  for (const semantics::Scope &child : scope.children())
    checkScope(context, child);
}

} // namespace

void checkDataAttributes(CheckContext &context) {
  checkScope(context, context.program.context->globalScope());
}

} // namespace cufc
