// "use m" becomes "use m, only: a, b" with the names of m that the unit uses. Operators and
// assignments that the module defines stay visible.
#include "base/source_text.h"
#include "ide/refactor/routine_text.h"
#include "ide/visible_names.h"
#include <algorithm>

namespace cufc {
namespace {

struct Exports {
  std::map<std::string, SymbolRef> names; // lower case
  bool known = false;
};

Exports exportsOf(const ActionContext &context, const std::string &module) {
  Exports exports;
  exports.known = context.workspace.moduleFile(module, &context.file) != nullptr;
  if (exports.known)
    forEachExport(context.workspace, context.file, module,
                  [&](const std::string &name, SymbolRef symbol) {
                    exports.names.emplace(lowerCase(name), symbol);
                  });
  return exports;
}

bool isOperator(const std::string &name) {
  return name.find('(') != std::string::npos || name.starts_with(".");
}

// Whether users of a module see what it uses.
bool passesOn(const RoutineText &text) {
  ScopeKind kind = text.scope().kind;
  if (kind != ScopeKind::Module && kind != ScopeKind::Submodule)
    return false;
  return std::none_of(text.pieces.begin(), text.pieces.end(),
                      [](const Piece &piece) { return lowerCase(piece.text) == "private"; });
}

// Whether a name of the unit comes by USE: from another file, or from a module of this one.
bool isImported(const RoutineText &text, const SymbolInfo &symbol) {
  if (!symbol.module.empty())
    return symbol.owner < 0;
  const std::vector<ScopeInfo> &scopes = text.context.file.analysis->scopes;
  if (symbol.scope < 0 || scopes[static_cast<size_t>(symbol.scope)].kind != ScopeKind::Module)
    return false;
  for (int scope = text.unit.scope; scope > 0; scope = scopes[static_cast<size_t>(scope)].parent)
    if (scope == symbol.scope)
      return false;
  return true;
}

// The names in the unit, with those of procedures inside, as they are spelled there.
std::map<std::string, std::string> usedNames(const RoutineText &text, const std::string &module,
                                             const Exports &exports) {
  std::map<std::string, std::string> used;
  for (const NameAt &name : text.names) {
    const SymbolInfo &symbol = text.row(name.symbol);
    std::string lower = lowerCase(symbol.name);
    const std::string &whole = text.pieces[name.piece].text; // an operator names its procedure too
    bool imported = isImported(text, symbol) &&
                    lowerCase(whole.substr(name.offset, symbol.name.size())) == lower;
    bool own = lowerCase(symbol.module) == module;
    if (imported && symbol.kind != SymbolKind::Module &&
        (exports.known ? exports.names.contains(lower) : own))
      used.emplace(lower, symbol.name);
  }
  for (const auto &[name, symbol] : exports.names)
    if (isOperator(name))
      used.emplace(name, name.starts_with(".") ? "operator(" + name + ")" : name);
  return used;
}

std::string listed(const std::string &head, const std::map<std::string, std::string> &used,
                   const std::string &blanks) {
  std::string line = head + ", only:";
  size_t begin = 0, count = 0;
  for (const auto &[lower, name] : used) {
    std::string part = (count++ > 0 ? ", " : " ") + name;
    if (line.size() - begin + part.size() > 96) {
      line += ", &\n";
      begin = line.size();
      part.assign(blanks).append("  ").append(name);
    }
    line += part;
  }
  return line;
}

} // namespace

Refactored makeAddOnly(const ActionContext &context, const RefactoringWish &) {
  UnitAround unit = unitAround(context, context.range.begin);
  RoutineText text(context, unit);
  int at = unit ? text.pieceAt(context.range.begin.line) : -1;
  if (at < 0 || text.pieces[static_cast<size_t>(at)].word != "use")
    return refused(Refusal::NotHere);
  const Piece &piece = text.pieces[static_cast<size_t>(at)];
  if (piece.text.find(',') != std::string::npos && piece.text.find("::") == std::string::npos)
    return refused(Refusal::HasOnly);
  if (piece.text.find("=>") != std::string::npos || piece.text.find(':') != std::string::npos)
    return refused(Refusal::HasOnly);
  std::string module = lowerCase(trimmed(std::string_view(piece.text).substr(3)));
  if (passesOn(text))
    return refused(Refusal::PassesOn, text.row(text.scope().symbol).name);
  for (int line = unit.firstLine; line <= unit.lastLine; ++line)
    if (std::string_view whole = context.document().line(line);
        whole.starts_with("#") || lowerCase(trimmed(whole)).starts_with("!@cuf"))
      return refused(Refusal::Preprocessor, line);
  for (const Piece &each : text.pieces)
    if (each.word == "include" || each.sharesLine)
      return each.sharesLine ? refused(Refusal::SharedLine, each.first)
                             : refused(Refusal::Preprocessor, each.first);
  Exports exports = exportsOf(context, module);
  std::map<std::string, std::string> used = usedNames(text, module, exports);
  if (!exports.known && used.empty())
    return refused(Refusal::ModuleUnknown, module);
  TextRange range = text.rangeOf(static_cast<size_t>(at), 0, piece.text.size());
  Refactored change;
  change.title = "add an ONLY list to USE " + module;
  change.edits[context.file.path] = {
      {range, listed(piece.text, used, text.indentation(static_cast<size_t>(at)))}};
  return change;
}

} // namespace cufc
