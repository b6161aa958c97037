// Calls with and without a launch configuration: kernels need one, and nothing else can have one.
#include "base/diag.h"
#include "checks/check.h"
#include "checks/fixes.h"

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

void checkWith(CheckContext &context, const ProcedureCall &call) {
  const Symbol &callee = *call.callee;
  auto chevrons = chevronsAfter(context, call.place);
  if (!hasExplicitInterface(callee)) {
    context.report(Diag::KernelInterface, call.place, call.name);
    return;
  }
  auto attributes = procedureAttributes(&callee);
  std::string kind = attributes == common::CUDASubprogramAttrs::Device ? "device code"
                     : attributes == common::CUDASubprogramAttrs::HostDevice
                         ? "host and device code"
                         : "host code";
  Diagnostic &found =
      context.report(Diag::ChevronsWithoutKernel, chevrons.value_or(call.place), call.name, kind);
  context.addDeclaration(found, callee);
  if (chevrons && runsOnHost(&callee)) // another kind of code cannot be called at all
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
        checkWith(context, call);
    }
}

} // namespace cufc
