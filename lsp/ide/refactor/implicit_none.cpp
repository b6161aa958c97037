// IMPLICIT NONE in a program unit, with declarations of what had its type from the first letter.
// Procedures inside of it are done with it, since they get it too.
#include "base/source_text.h"
#include "ide/refactor/declarations.h"
#include "source/statement_words.h"
#include <algorithm>

namespace cufc {
namespace {

// "real(4)" as people write it.
std::string spelled(const std::string &type) {
  static const std::map<std::string, std::string> names = {{"real(4)", "real"},
                                                           {"integer(4)", "integer"},
                                                           {"complex(4)", "complex"},
                                                           {"logical(4)", "logical"}};
  auto found = names.find(type);
  return found == names.end() ? type : found->second;
}

// The lines of a unit up to CONTAINS or its end that matter here.
struct Head {
  int lastUse = 0;      // or IMPORT, or the first statement
  int implicitLine = 0; // of an IMPLICIT statement that goes
  int implicitEnd = 0;
  bool none = false;
  std::string indentation;
};

Head headOf(const RoutineText &text) {
  Head head;
  head.indentation = "";
  for (size_t i = 0; i < text.contains; ++i) {
    const Piece &piece = text.pieces[i];
    bool opens = i == 0 && piece.role.kind == StatementRole::Opens && isUnit(piece.role.block);
    if (i == 0)
      head.lastUse = opens ? piece.last : piece.first - 1;
    if (!opens && head.indentation.empty())
      head.indentation = text.indentation(i);
    if (piece.blocks.size() > 1)
      continue;
    if (piece.word == "use" || piece.word == "import")
      head.lastUse = piece.last;
    if (piece.word == "implicit") {
      head.none |= lowerCase(piece.text).find("none") != std::string::npos;
      head.implicitLine = head.implicitLine > 0 ? head.implicitLine : piece.first;
      head.implicitEnd = piece.last;
    }
  }
  if (head.indentation.empty())
    head.indentation = indentationOf(text.context.document(), text.unit.firstLine) + "  ";
  return head;
}

// Names of a scope that have no declaration of their type.
bool needsDeclaration(const RoutineText &text, const SymbolInfo &symbol, int number) {
  bool data = symbol.kind == SymbolKind::Variable || symbol.kind == SymbolKind::Constant;
  bool function = symbol.kind == SymbolKind::Function && !symbol.intrinsic && !symbol.type.empty();
  if (!symbol.implicit || !(data || function) || symbol.type.empty())
    return false;
  return std::any_of(text.names.begin(), text.names.end(),
                     [&](const NameAt &name) { return name.symbol == number; });
}

// An external function that is only called.
bool isUndeclaredFunction(const RoutineText &text, const SymbolInfo &symbol, int number) {
  if (symbol.kind != SymbolKind::Function || symbol.intrinsic || !symbol.module.empty() ||
      symbol.scope > 0 || symbol.dummyOf >= 0 || symbol.type.empty())
    return false;
  bool called = false;
  for (const NameAt &name : text.names) {
    if (name.symbol != number || name.piece >= text.contains)
      continue;
    if (name.role == Role::Declaration || text.pieces[name.piece].role.kind == StatementRole::Opens)
      return false;
    called |= name.role == Role::Call || name.role == Role::Read;
  }
  return called;
}

// A function that has its type from its own first letter.
bool isUntypedSelf(const RoutineText &text) {
  int self = text.scope().symbol;
  if (self < 0 || text.row(self).kind != SymbolKind::Function || text.row(self).result >= 0 ||
      text.row(self).type.empty() || text.unit.scope == 0)
    return false;
  std::string head = lowerCase(text.pieces[0].text);
  head.resize(head.find("function"));
  for (std::string_view word : wordsWith(word_role::Type))
    if (hasWord(head, std::string(word)))
      return false;
  return std::none_of(text.names.begin(), text.names.end(), [&](const NameAt &name) {
    return name.symbol == self && name.piece > 0 && name.piece < text.contains &&
           isDeclarationWord(text.pieces[name.piece].word);
  });
}

std::string declarations(const RoutineText &text, const std::string &indentation) {
  std::map<std::string, std::vector<std::string>> byType;
  const std::vector<SymbolInfo> &symbols = text.context.file.analysis->symbols;
  for (size_t i = 0; i < symbols.size(); ++i)
    if ((symbols[i].scope == text.unit.scope &&
         needsDeclaration(text, symbols[i], static_cast<int>(i))) ||
        isUndeclaredFunction(text, symbols[i], static_cast<int>(i)))
      byType[spelled(symbols[i].type)].push_back(symbols[i].name);
  if (isUntypedSelf(text))
    byType[spelled(text.row(text.scope().symbol).type)].push_back(
        text.row(text.scope().symbol).name);
  std::string result;
  for (auto &[type, list] : byType) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    std::string line = indentation + type + " ::";
    for (size_t i = 0; i < list.size(); ++i) {
      std::string part = (i > 0 ? ", " : " ") + list[i];
      if (line.size() + part.size() > 66 && i > 0) {
        result += "\n" + line;
        line = indentation + type + " ::";
        part = " " + list[i];
      }
      line += part;
    }
    result += "\n" + line;
  }
  return result;
}

// Of the scope itself; false if nothing changes. `inner` inherits IMPLICIT NONE from its host.
std::string addTo(const RoutineText &text, bool inner, std::vector<TextChange> &edits) {
  Head head = headOf(text);
  if (head.none)
    return {};
  for (int line = text.unit.firstLine; line <= text.pieces[text.contains].first; ++line)
    if (text.context.document().line(line).starts_with("#"))
      return because(Refusal::Preprocessor, line);
  for (size_t i = 0; i < text.contains; ++i)
    if (text.pieces[i].word == "include")
      return because(Refusal::Preprocessor, text.pieces[i].first);
  std::string declared = declarations(text, head.indentation);
  const Document &document = text.context.document();
  if (head.implicitLine > 0)
    edits.push_back({{{head.implicitLine, 1}, {head.implicitEnd + 1, 1}}, ""});
  std::string none = inner ? "" : "\n" + head.indentation + "implicit none";
  std::string added = none + declared;
  if (added.empty())
    return {};
  int below = std::max(head.lastUse, head.implicitEnd > 0 ? head.implicitLine - 1 : 0);
  if (below < 1)
    edits.push_back(linesAbove(1, added.substr(1)));
  else
    edits.push_back(linesBelow(document, below, added.substr(1)));
  return {};
}

} // namespace

Refactored makeImplicitNone(const ActionContext &context, const RefactoringWish &) {
  int line = context.range.begin.line; // the unit begins behind its indentation
  int column = static_cast<int>(indentationOf(context.document(), line).size()) + 1;
  UnitAround outer =
      unitAround(context, std::max(context.range.begin, TextPosition{line, column}), true);
  if (!outer)
    return refused(Refusal::NotHere);
  RoutineText text(context, outer);
  if (!text.balanced || text.pieces.empty())
    return refused(Refusal::Unbalanced);
  if (headOf(text).none)
    return refused(Refusal::HasImplicitNone);
  std::vector<TextChange> edits;
  if (std::string refusal = addTo(text, false, edits); !refusal.empty())
    return refused("{}", refusal);
  const std::vector<ScopeInfo> &scopes = context.file.analysis->scopes;
  for (size_t i = 0; i < scopes.size(); ++i) {
    bool within = false;
    for (int scope = scopes[i].parent; scope > 0; scope = scopes[static_cast<size_t>(scope)].parent)
      within |= scope == outer.scope;
    std::optional<TextRange> now = context.file.now(scopes[i].place);
    if (!within || scopes[i].kind != ScopeKind::Subprogram || scopes[i].place.file != 0 || !now)
      continue;
    UnitAround unit{static_cast<int>(i), now->begin.line,
                    now->end.line - (now->end.column <= 1 ? 1 : 0)};
    if (std::string refusal = addTo(RoutineText(context, unit), true, edits); !refusal.empty())
      return refused("{}", refusal);
  }
  Refactored change;
  change.title = "add IMPLICIT NONE and declarations";
  change.edits[context.file.path] = std::move(edits);
  return change;
}

} // namespace cufc
