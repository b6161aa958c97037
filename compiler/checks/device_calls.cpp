// Calls in device code of what has no device code: procedures of the host, kernels, and procedures
// that a pointer or a dummy argument chooses, of which only the host's addresses are known.
#include "base/diag.h"
#include "base/mistake_diag.h"
#include "base/source_text.h"
#include "checks/check.h"
#include "checks/fixes.h"
#include "frontend/modules/partial_interfaces.h"
#include "source/api_names.h"

namespace cufc {
namespace {

using namespace Fortran;
using semantics::Symbol;

// The module that a procedure comes from, if it is one.
const Symbol *moduleOf(const Symbol &procedure) {
  const semantics::Scope &scope = procedure.owner();
  return scope.IsModule() ? scope.symbol() : nullptr;
}

// Procedures of Fortran's own modules are lowered as intrinsics are.
bool isOfLanguage(const Symbol &callee) {
  if (callee.attrs().test(semantics::Attr::INTRINSIC))
    return true;
  const Symbol *module = moduleOf(callee);
  if (!module)
    return false;
  std::string name = module->name().ToString();
  return name.rfind("ieee_", 0) == 0 || name.rfind("iso_", 0) == 0 || name.rfind("__", 0) == 0;
}

bool isStatementFunction(const Symbol &callee) {
  const auto *details = callee.detailsIf<semantics::SubprogramDetails>();
  return details && details->stmtFunction();
}

// Nothing tells of the procedure but its call.
bool isUndeclared(const Symbol &callee) {
  const auto *external = callee.GetUltimate().detailsIf<semantics::ProcEntityDetails>();
  return external && !external->HasExplicitInterface() &&
         (!callee.GetUltimate().attrs().test(semantics::Attr::EXTERNAL) ||
          callee.GetUltimate().implicitAttrs().test(semantics::Attr::EXTERNAL));
}

bool isUndeclaredFunction(const Symbol &callee) {
  return isUndeclared(callee) && callee.GetUltimate().test(Symbol::Flag::Function) &&
         callee.GetUltimate().test(Symbol::Flag::Implicit);
}

// "; did you mean 'syncthreads'?"
void suggest(Diagnostic &found, const std::string &name) {
  const ApiName *near = nearestDeviceProcedure(name);
  if (!near || lowerCase(near->name) == lowerCase(name))
    return;
  std::string meant(near->name);
  found.message += "; did you mean '" + meant + "'?";
  SourceRange range = found.range;
  found.fixes.push_back(fixOf("replace by '" + meant + "'", {range, meant}));
}

void check(CheckContext &context, const ProcedureCall &call) {
  const Symbol &callee = *call.callee;
  if (callee.has<semantics::ProcBindingDetails>() || isStatementFunction(callee) ||
      isOfLanguage(callee) || context.isUnknown(callee))
    return;
  if (isKernel(&callee)) {
    Diagnostic &found = context.report(Diag::KernelCalledOnDevice, call.place, call.name);
    context.addDeclaration(found, callee);
  } else if (runsOnDevice(&callee)) {
    return;
  } else if (semantics::IsProcedurePointer(callee) || semantics::IsDummy(callee)) {
    Diagnostic &found = context.report(Diag::DeviceIndirectCall, call.place, call.name);
    context.addDeclaration(found, callee);
  } else {
    if ((isUndeclared(callee) || isUndeclaredFunction(callee)) && mayLackNames(context.program))
      return; // it may be of a module that is not there
    if (isUndeclaredFunction(callee)) {
      suggest(context.report(MistakeDiag::UndeclaredArray, call.place, call.name), call.name);
      return;
    }
    Diagnostic &found = context.report(Diag::DeviceCallsHost, call.place, call.name);
    context.addDeclaration(found, callee);
    if (isUndeclared(callee))
      suggest(found, call.name);
    if (auto fix = makeHostDevice(context, callee))
      found.fixes.push_back(std::move(*fix));
  }
}

} // namespace

void checkDeviceCalls(CheckContext &context) {
  for (const Procedure &procedure : context.procedures.all())
    for (const ProcedureCall &call : procedure.calls)
      if (call.onDevice)
        check(context, call);
}

} // namespace cufc
