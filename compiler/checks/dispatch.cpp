// Calls in device code whose procedure is chosen by the type that a polymorphic object has at run
// time. The table of a type's procedures holds addresses of the host, so none of them can be
// called.
#include "base/diag.h"
#include "checks/check.h"

namespace cufc {

void checkDispatch(CheckContext &context) {
  for (const Procedure &procedure : context.procedures.all())
    for (const ProcedureCall &call : procedure.calls)
      // flang has put the procedure itself in place of a binding that the declared type decides.
      if (call.onDevice && call.callee->has<Fortran::semantics::ProcBindingDetails>())
        context.report(Diag::DeviceDispatch, call.place, call.callee->name().ToString());
}

} // namespace cufc
