// An interface block for an external procedure that is called, made from its definition somewhere
// in the workspace: its statements up to the last that declares a dummy or what dummies need.
#include "base/source_text.h"
#include "ide/actions/source_view.h"
#include "ide/declaration.h"
#include <algorithm>

namespace cufc {
namespace {

// The declarations of the dummies and the USE statements that they may need, as an interface body.
std::string interfaceBody(const Analysis &analysis, const SymbolInfo &procedure,
                          const std::string &indentation) {
  std::string text = declarationOf(analysis, procedure, true);
  size_t lineEnd = std::min(text.find('\n'), text.size());
  std::string body = indentation + text.substr(0, lineEnd);
  if (procedure.ownScope >= 0)
    for (const UseInfo &use : analysis.scopes[static_cast<size_t>(procedure.ownScope)].uses) {
      body += "\n" + indentation + "  use " + use.module;
      for (size_t i = 0; use.only && i < use.names.size(); ++i)
        body += (i == 0 ? ", only: " : ", ") + use.names[i];
    }
  body += "\n" + indentation + "  implicit none";
  for (size_t at = lineEnd; at < text.size();) {
    size_t end = std::min(text.find('\n', at + 1), text.size());
    body += "\n" + indentation + text.substr(at + 1, end - at - 1);
    at = end;
  }
  bool function = procedure.kind == SymbolKind::Function;
  return body + "\n" + indentation + (function ? "end function" : "end subroutine");
}

// Whether a declaration of the dummies can stand alone.
bool isSelfContained(const Analysis &analysis, const SymbolInfo &procedure) {
  for (int dummy : procedure.dummies) {
    if (dummy < 0) // an alternate return
      return false;
    const SymbolInfo &row = analysis.symbols[static_cast<size_t>(dummy)];
    if (row.type.empty() || (row.typeSymbol >= 0 &&
                             analysis.symbols[static_cast<size_t>(row.typeSymbol)].module.empty()))
      return false; // a procedure, or a type of its own
  }
  return true;
}

bool isExternalCall(const OccurrenceAt &at) {
  return (at.role == Role::Call || at.role == Role::Launch || at.role == Role::Read) &&
         at.symbol.key().starts_with("/") && isProcedure(at.symbol.info()) &&
         !at.symbol.info().intrinsic;
}

// The definition of an external procedure with this key.
SymbolRef definitionOf(const ActionContext &context, const std::string &key) {
  for (const SourceFile *file : context.workspace.filesWith(key, &context.file)) {
    if (!file->analysis)
      continue;
    for (int row : file->symbolsOf(key)) {
      const SymbolInfo &symbol = file->analysis->symbols[static_cast<size_t>(row)];
      bool inInterface =
          symbol.scope >= 0 &&
          file->analysis->scopes[static_cast<size_t>(symbol.scope)].kind == ScopeKind::Interface;
      if (isProcedure(symbol) && symbol.ownScope >= 0 && !inInterface &&
          symbol.definition.file == 0)
        return {file, row};
    }
  }
  return {};
}

// By an interface or EXTERNAL.
bool isDeclaredIn(const ActionContext &context, const UnitAround &unit, SymbolRef symbol) {
  std::vector<OccurrenceAt> names = namesIn(context, unit.firstLine, unit.lastLine);
  return std::any_of(names.begin(), names.end(), [&](const OccurrenceAt &name) {
    return name.symbol.symbol == symbol.symbol && name.role == Role::Declaration;
  });
}

} // namespace

void addExplicitInterface(const ActionContext &context, CodeActions &actions) {
  for (const OccurrenceAt &at : occurrencesAt(context.query())) {
    if (!isExternalCall(at))
      continue;
    SymbolRef definition = definitionOf(context, at.symbol.key());
    UnitAround unit = unitAround(context, at.range.begin);
    if (!definition || !unit || !isSelfContained(*definition.file->analysis, definition.info()))
      continue;
    if (isDeclaredIn(context, unit, at.symbol))
      continue;
    SpecificationPart part = specificationOf(context, unit);
    std::string text =
        part.indentation + "interface\n" +
        interfaceBody(*definition.file->analysis, definition.info(), part.indentation + "  ") +
        "\n" + part.indentation + "end interface";
    actions.push_back(
        {"add an interface of '" + definition.info().name + "'",
         "refactor.rewrite",
         {{context.file.path, {linesBelow(context.document(), part.lastDeclaration, text)}}}});
    return;
  }
}

} // namespace cufc
