// Symbols are taken by the rules by which flang takes those of a USE statement.
#include "frontend/modules/exported_names.h"
#include "flang/Semantics/tools.h"

namespace cufc {

using namespace Fortran::semantics;

std::set<std::string> exportedNames(SemanticsContext &context, std::string_view module,
                                    bool intrinsic) {
  const Scope &modules = intrinsic ? context.intrinsicModulesScope() : context.globalScope();
  auto found = modules.find(Fortran::parser::CharBlock(module.data(), module.size()));
  const Scope *scope = found == modules.end() ? nullptr : found->second->scope();
  std::set<std::string> names;
  if (!scope)
    return names;
  for (const auto &[name, symbol] : *scope) {
    bool implied = symbol->implicitAttrs().test(Attr::INTRINSIC) && !symbol->has<UseDetails>();
    if (!symbol->attrs().test(Attr::PUBLIC) || implied || symbol->has<MiscDetails>())
      continue;
    std::string text = name.ToString();
    names.insert(IsGenericDefinedOp(*symbol) ? "operator(" + text + ")" : text);
  }
  return names;
}

} // namespace cufc
