// Calls of device procedures by host code, and device routines of the module cudadevice there: the
// host's program has no such procedure, so that the linker would not find it.
#include "checks/check.h"

namespace cufc {
namespace {

using namespace Fortran;

// flang makes cudadevice known in device code alone; in host code its routines are external
// procedures without an interface.
bool isDeviceRoutine(const CheckContext &context, const semantics::Symbol &callee) {
  if (!callee.has<semantics::ProcEntityDetails>() || !semantics::IsExternal(callee) ||
      callee.get<semantics::ProcEntityDetails>().HasExplicitInterface())
    return false;
  const semantics::Scope &global = context.program.context->globalScope();
  for (const semantics::Scope &parent :
       {std::cref(global), std::cref(context.program.context->intrinsicModulesScope())}) {
    auto found = parent.find(parser::CharBlock{"cudadevice", 10});
    const semantics::Scope *module = found == parent.end() ? nullptr : found->second->scope();
    if (module && module->find(callee.name()) != module->end())
      return true;
  }
  return false;
}

} // namespace

void checkHostCalls(CheckContext &context) {
  for (const Procedure &procedure : context.procedures.all())
    for (const ProcedureCall &call : procedure.calls)
      if (!call.onDevice &&
          (procedureAttributes(call.callee) == common::CUDASubprogramAttrs::Device ||
           isDeviceRoutine(context, *call.callee)))
        context.report(Diag::HostCallsDevice, call.place, call.callee->name().ToString());
}

} // namespace cufc
