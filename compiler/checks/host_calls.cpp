// Calls of device procedures by host code, and device routines of the module cudadevice there: the
// host's program has no such procedure, so that the linker would not find it. Also threadIdx and
// the like in procedures that are host code too.
#include "checks/check.h"
#include <algorithm>

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

class ThreadIndices : public StatementVisitor {
public:
  explicit ThreadIndices(CheckContext &context) : context(context) {}

  using StatementVisitor::Pre;
  bool Pre(const parser::Name &name) {
    static constexpr const char *names[] = {"__builtin_threadidx", "__builtin_blockidx",
                                            "__builtin_blockdim", "__builtin_griddim"};
    if (!name.symbol || source.empty())
      return false;
    std::string text = name.symbol->GetUltimate().name().ToString();
    const semantics::Scope *procedure =
        semantics::FindCUDADeviceContext(&context.program.context->FindScope(source));
    if (procedure && runsOnHost(procedure->symbol()) &&
        std::find(std::begin(names), std::end(names), text) != std::end(names))
      context.report(Diag::ThreadIndexOnHost, name.source, name.source.ToString(),
                     procedure->symbol()->name().ToString());
    return false;
  }

private:
  CheckContext &context;
};

} // namespace

void checkHostCalls(CheckContext &context) {
  ThreadIndices indices(context);
  context.walk(indices);
  for (const Procedure &procedure : context.procedures.all())
    for (const ProcedureCall &call : procedure.calls)
      if (call.onHost && (procedureAttributes(call.callee) == common::CUDASubprogramAttrs::Device ||
                          isDeviceRoutine(context, *call.callee)))
        context.report(Diag::HostCallsDevice, call.place, call.callee->name().ToString());
}

} // namespace cufc
