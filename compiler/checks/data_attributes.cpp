// Attributes of data that contradict each other and that flang lets pass or only warns of.
#include "base/diag.h"
#include "base/source_text.h"
#include "checks/fixes.h"
#include "checks/scopes.h"

namespace cufc {
namespace {

using namespace Fortran;

// flang gives dummies of device code an attribute that the program has not written.
bool isWritten(const CheckContext &context, const semantics::Symbol &symbol) {
  if (!isOfThisFile(context, symbol))
    return false;
  parser::CharBlock statement = statementAround(context, symbol.name());
  std::string_view before(statement.begin(),
                          static_cast<size_t>(symbol.name().begin() - statement.begin()));
  for (std::string_view word : {"device", "constant", "shared", "managed", "pinned", "unified"})
    if (before.find(word) != std::string_view::npos)
      return true;
  return false;
}

void checkVariable(CheckContext &context, const semantics::Symbol &symbol) {
  auto attribute = semantics::GetCUDADataAttr(&symbol);
  if (!attribute)
    return;
  if (attribute == common::CUDADataAttr::Pinned && !semantics::IsAllocatableOrPointer(symbol) &&
      !semantics::IsDummy(symbol))
    context.report(Diag::PinnedNotAllocatable, symbol.name(), symbol.name().ToString());
  // A value is a copy in the procedure's own memory.
  if (symbol.attrs().test(semantics::Attr::VALUE) && isWritten(context, symbol))
    context.report(Diag::AttributesContradict, symbol.name(), symbol.name().ToString(), "value",
                   lowerCase(common::EnumToString(*attribute)));
}

} // namespace

void checkDataAttributes(CheckContext &context) {
  forEachObject(context, [&](const semantics::Symbol &symbol) { checkVariable(context, symbol); });
}

} // namespace cufc
