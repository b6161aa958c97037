// Local variables of device code whose types need work at the begin and the end of their lives:
// components to be freed, and FINAL procedures, which are host code.
#include "base/diag.h"
#include "checks/scopes.h"

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

} // namespace

void checkDeviceTypes(CheckContext &context) {
  forEachObject(context, [&](const semantics::Symbol &symbol) {
    if (isOfDeviceProcedure(symbol.owner()) && needsCleaning(symbol))
      context.report(Diag::DeviceUnsupportedCall, symbol.name(),
                     "a variable of a type with allocatable components or FINAL procedures");
  });
}

} // namespace cufc
