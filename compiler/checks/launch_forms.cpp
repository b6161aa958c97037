// Calls with and without a launch configuration: kernels need one, and nothing else can have one.
#include "base/diag.h"
#include "base/mistake_diag.h"
#include "checks/check.h"
#include "checks/procedure_fixes.h"
#include "frontend/modules/partial_interfaces.h"
#include "frontend/name_suggestions.h"

namespace cufc {
namespace {

using namespace Fortran;
using parser::CharBlock;
using semantics::Symbol;

// From <<< to >>> in the call whose procedure's name is at a place.
std::optional<CharBlock> chevronsAfter(const CheckContext &context, CharBlock name) {
  CharBlock statement = statementAround(context, name);
  std::string_view rest(name.end(), static_cast<size_t>(statement.end() - name.end()));
  size_t opening = rest.find("<<<"), closing = rest.find(">>>");
  if (opening == std::string_view::npos || closing == std::string_view::npos)
    return std::nullopt;
  return CharBlock{name.end() + opening, closing + 3 - opening};
}

bool hasExplicitInterface(const Symbol &callee) {
  const auto *entity = callee.detailsIf<semantics::ProcEntityDetails>();
  return !entity || entity->HasExplicitInterface();
}

void checkWithout(CheckContext &context, const ProcedureCall &call) {
  Diagnostic &found = context.report(Diag::KernelWithoutChevrons, call.place, call.name);
  context.addDeclaration(found, *call.callee);
  found.fixes.push_back(
      fixOf("launch one thread: <<<1, 1>>>", insertAfter(context, call.place, "<<<1, 1>>>")));
}

// A module of this file that has the kernel is used behind the first line of the unit.
void useModuleOf(const CheckContext &context, const Procedure &procedure, const ProcedureCall &call,
                 Diagnostic &found) {
  const semantics::Scope *unit = procedure.scope;
  while (unit && !unit->IsTopLevel() && !unit->parent().IsTopLevel())
    unit = &unit->parent();
  for (const semantics::Scope &module : context.program.context->globalScope().children()) {
    auto kernel =
        module.kind() == semantics::Scope::Kind::Module ? module.find(call.place) : module.end();
    if (kernel == module.end() || !isKernel(&*kernel->second) || !unit || &module == unit)
      continue;
    std::string name = module.GetName().value().ToString();
    SourceRange place = rangeOf(context.program, unit->sourceRange());
    place = {place.file, place.line + 1, 1, place.line + 1, 1};
    found.fixes.push_back(fixOf("add 'use " + name + "'", {place, "  use " + name + "\n"}));
    return;
  }
}

// Host code that takes device data and asks for no thread is meant to be what it is.
bool looksLikeKernel(const CheckContext &context, const Symbol &callee) {
  const auto *details = callee.GetUltimate().detailsIf<semantics::SubprogramDetails>();
  const semantics::Scope *scope = callee.GetUltimate().scope();
  if (!details || !scope)
    return true;
  bool deviceData = false;
  for (const Symbol *dummy : details->dummyArgs()) {
    const auto *object = dummy ? dummy->detailsIf<semantics::ObjectEntityDetails>() : nullptr;
    deviceData |= object && object->cudaDataAttr();
  }
  SourceRange body = rangeOf(context.program, scope->sourceRange());
  bool threads = false;
  for (const Replaceable &message : context.program.replaceable)
    threads |= message.codes == "CUF0226" && message.diagnostic.range.line >= body.line &&
               message.diagnostic.range.line <= body.endLine;
  return threads || !deviceData;
}

void launchedHostCode(CheckContext &context, const ProcedureCall &call) {
  const Symbol &callee = call.callee->GetUltimate();
  Diagnostic &found = context.report(MistakeDiag::LaunchedHostCode, call.place, call.name);
  context.addDeclaration(found, callee);
  if (auto fix = makeProcedure(context, callee, "global"))
    found.fixes.push_back(std::move(*fix));
}

void checkWith(CheckContext &context, const Procedure &procedure, const ProcedureCall &call) {
  const Symbol &callee = *call.callee;
  auto chevrons = chevronsAfter(context, call.place);
  if (!hasExplicitInterface(callee)) {
    if (mayLackNames(context.program)) // it may be a kernel of a module that is not there
      return;
    Diagnostic &found = context.report(Diag::KernelInterface, call.place, call.name);
    useModuleOf(context, procedure, call, found);
    if (found.fixes.empty())
      suggestName(found, procedure.scope, context.program);
    return;
  }
  auto attributes = procedureAttributes(&callee);
  if (attributes == common::CUDASubprogramAttrs::Host && looksLikeKernel(context, callee))
    return launchedHostCode(context, call);
  std::string kind = attributes == common::CUDASubprogramAttrs::Device ? "device code"
                     : attributes == common::CUDASubprogramAttrs::HostDevice
                         ? "host and device code"
                         : "host code";
  Diagnostic &found =
      context.report(Diag::ChevronsWithoutKernel, chevrons.value_or(call.place), call.name, kind);
  context.addDeclaration(found, callee);
  if (chevrons &&
      runsOnHost(&callee)) // of host and device code; another kind cannot be called at all
    found.fixes.push_back(
        fixOf("remove the launch configuration", replace(context, *chevrons, "")));
}

} // namespace

void checkLaunchForms(CheckContext &context) {
  for (const Procedure &procedure : context.procedures.all())
    for (const ProcedureCall &call : procedure.calls) {
      if (context.isUnknown(*call.callee) || call.callee->has<semantics::ProcBindingDetails>())
        continue;
      if (isKernel(call.callee) && !call.launches && !call.onDevice)
        checkWithout(context, call);
      else if (call.launches && !isKernel(call.callee))
        checkWith(context, procedure, call);
    }
}

} // namespace cufc
