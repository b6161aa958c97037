// Data of device procedures that would have to outlive a call, or to be there before it: SAVE, DATA
// and initial values. A thread's variables begin and end with the call, and a block's shared memory
// begins with anything. Data in constant memory is there all the time and may have a value.
#include "base/diag.h"
#include "checks/fixes.h"
#include "checks/scopes.h"

namespace cufc {
namespace {

using namespace Fortran;

bool hasValue(const semantics::Symbol &symbol) {
  const auto *object = symbol.detailsIf<semantics::ObjectEntityDetails>();
  return (object && object->init()) || symbol.test(semantics::Symbol::Flag::InDataStmt);
}

void checkVariable(CheckContext &context, const semantics::Symbol &symbol) {
  const auto *object = symbol.detailsIf<semantics::ObjectEntityDetails>();
  const auto *pointer = symbol.detailsIf<semantics::ProcEntityDetails>();
  if ((!object && !pointer) || semantics::IsNamedConstant(symbol) || semantics::IsDummy(symbol) ||
      symbol.test(semantics::Symbol::Flag::CompilerCreated))
    return;
  auto attribute = semantics::GetCUDADataAttr(&symbol);
  if (attribute == common::CUDADataAttr::Constant)
    return;
  bool value = hasValue(symbol);
  if (!value && !symbol.attrs().test(semantics::Attr::SAVE) && !semantics::IsSaved(symbol))
    return;
  std::string what = value ? "an initial value" : "the SAVE attribute";
  bool shared = attribute == common::CUDADataAttr::Shared;
  Diagnostic &found = context.report(shared ? Diag::SharedVariableValue : Diag::SavedDeviceVariable,
                                     symbol.name(), symbol.name().ToString(), what);
  if (auto fix = value ? std::nullopt : removeAttribute(context, symbol, "save"))
    found.fixes.push_back(std::move(*fix));
}

} // namespace

void checkSavedData(CheckContext &context) {
  forEachScope(context, [&](const semantics::Scope &scope) {
    if (!isOfDeviceProcedure(scope))
      return;
    for (const auto &[name, symbol] : scope)
      if (&symbol->owner() == &scope)
        checkVariable(context, *symbol);
  });
}

} // namespace cufc
