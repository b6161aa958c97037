// Cray pointers in device code. Those to shared memory reach that of other blocks of a cluster; of
// the others flang places the pointees in memory of the device, as if they were variables.
#include "base/diag.h"
#include "checks/scopes.h"

namespace cufc {
namespace {

using namespace Fortran;

void checkScope(CheckContext &context, const semantics::Scope &scope) {
  if (semantics::FindCUDADeviceContext(&scope))
    for (const auto &[pointee, pointer] : scope.crayPointers())
      if (const semantics::Symbol *target = scope.FindSymbol(pointee);
          target && !semantics::IsCUDAShared(*target))
        context.report(Diag::DeviceStatement, pointer->name(),
                       std::string("a Cray pointer to other than shared memory"));
}

} // namespace

void checkCrayPointers(CheckContext &context) {
  forEachScope(context, [&](const semantics::Scope &scope) { checkScope(context, scope); });
}

} // namespace cufc
