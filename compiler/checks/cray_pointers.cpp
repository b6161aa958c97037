// Cray pointers in device code, whose pointees flang places in memory of the device.
#include "checks/check.h"

namespace cufc {
namespace {

using namespace Fortran;

void checkScope(CheckContext &context, const semantics::Scope &scope) {
  if (scope.IsModuleFile())
    return;
  if (semantics::FindCUDADeviceContext(&scope))
    for (const auto &[pointee, pointer] : scope.crayPointers())
      context.report(Diag::DeviceStatement, pointer->name(), std::string("a Cray pointer"));
  for (const semantics::Scope &child : scope.children())
    checkScope(context, child);
}

} // namespace

void checkCrayPointers(CheckContext &context) {
  checkScope(context, context.program.context->globalScope());
}

} // namespace cufc
