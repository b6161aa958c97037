// Calls of device procedures by host code, and device routines of the module cudadevice there: the
// host's program has no such procedure, so that the linker would not find it. Also threadIdx and
// the like in procedures that are host code too.
#include "base/diag.h"
#include "checks/check.h"
#include "checks/code_visitor.h"
#include "checks/procedure_fixes.h"
#include <algorithm>
#include <string_view>

namespace cufc {
namespace {

using namespace Fortran;

// flang makes the routines of cudadevice known in device code alone; in host code they are external
// procedures without an interface. Names that a program may have for a procedure of its own, such
// as clock, are left to the linker.
bool isDeviceRoutine(const CheckContext &context, const semantics::Symbol &callee) {
  static constexpr std::string_view prefixes[] = {"syncthreads", "syncwarp", "threadfence",
                                                  "atomic", "__"};
  const auto *external = callee.detailsIf<semantics::ProcEntityDetails>();
  if (!external || !semantics::IsExternal(callee) || external->HasExplicitInterface())
    return false;
  std::string name = callee.name().ToString();
  if (std::none_of(std::begin(prefixes), std::end(prefixes), [&](std::string_view prefix) {
        return name.compare(0, prefix.size(), prefix) == 0;
      }))
    return false;
  // These are in no other library, so that they are told where nothing has read the module.
  for (std::string_view barrier : {"syncthreads", "syncwarp", "threadfence"})
    if (name.compare(0, barrier.size(), barrier) == 0)
      return true;
  semantics::SemanticsContext &semantics = *context.program.context;
  for (const semantics::Scope *parent :
       {&semantics.globalScope(), &semantics.intrinsicModulesScope()}) {
    auto found = parent->find(parser::CharBlock{"cudadevice", 10});
    const semantics::Scope *module = found == parent->end() ? nullptr : found->second->scope();
    if (module && module->find(callee.name()) != module->end())
      return true;
  }
  return false;
}

class ThreadIndices : public CodeVisitor {
public:
  explicit ThreadIndices(CheckContext &context) : context(context) {}

  using CodeVisitor::Post;
  using CodeVisitor::Pre;
  bool Pre(const parser::Name &name) override {
    static constexpr const char *names[] = {"__builtin_threadidx", "__builtin_blockidx",
                                            "__builtin_blockdim", "__builtin_griddim"};
    if (!executing() || !onHost())
      return false;
    if (!inDeviceProcedure())
      return checkHostName(name), false;
    std::string text = name.symbol ? name.symbol->GetUltimate().name().ToString() : "";
    if (std::find(std::begin(names), std::end(names), text) != std::end(names))
      context.report(Diag::ThreadIndexOnHost, name.source, name.source.ToString(),
                     procedure()->name().ToString());
    return false;
  }

private:
  // flang knows these names in device code alone; elsewhere they are what the program makes of
  // them.
  void checkHostName(const parser::Name &name) {
    for (const Replaceable &message : context.replaceableAt(name.source))
      if (message.codes == "CUF0226") {
        Diagnostic &found =
            context.report(Diag::DeviceNameOnHost, name.source, name.source.ToString());
        const semantics::Symbol *owner = procedure();
        const auto *details = owner ? owner->detailsIf<semantics::SubprogramDetails>() : nullptr;
        if (details)
          if (auto fix =
                  makeProcedure(context, *owner, details->isFunction() ? "device" : "global"))
            found.fixes.push_back(std::move(*fix));
        return;
      }
  }

  CheckContext &context;
};

void reportCall(CheckContext &context, const ProcedureCall &call) {
  Diagnostic &found = context.report(Diag::HostCallsDevice, call.place, call.name);
  context.addDeclaration(found, *call.callee);
  if (auto fix = makeHostDevice(context, *call.callee))
    found.fixes.push_back(std::move(*fix));
}

} // namespace

void checkHostCalls(CheckContext &context) {
  context.visit<ThreadIndices>(context);
  context.afterwards([&context] {
    for (const Procedure &procedure : context.procedures.all())
      for (const ProcedureCall &call : procedure.calls)
        if (call.onHost && !call.launches &&
            (procedureAttributes(call.callee) == common::CUDASubprogramAttrs::Device ||
             isDeviceRoutine(context, *call.callee)))
          reportCall(context, call);
  });
}

} // namespace cufc
