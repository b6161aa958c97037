// Statements become an internal procedure and a call of it. An internal procedure has the variables
// of its host, so that nothing has to be passed and nothing changes.
#include "base/source_text.h"
#include "ide/refactor/routine_text.h"
#include "source/statement_words.h"
#include <algorithm>

namespace cufc {
namespace {

bool isExecutable(const Piece &piece) {
  static const std::set<std::string> others = {"entry", "interface", "contains", "return",
                                               "case",  "else",      "elseif",   "elsewhere"};
  size_t equals = piece.text.find('=');
  bool assignment = equals != std::string::npos && piece.text.find("::") == std::string::npos &&
                    equals < piece.text.find(' ');
  return assignment || !(others.contains(piece.word) || hasRole(piece.word, word_role::Declares));
}

// A statement that would go somewhere else than it does now.
std::string leaving(const RoutineText &text, size_t first, size_t last) {
  for (size_t i = first; i <= last; ++i) {
    const Piece &piece = text.pieces[i];
    if (piece.label > 0)
      return because(Refusal::Label, piece.first);
    std::string whole = lowerCase(piece.text);
    std::string end = withoutBlanksAt(whole);
    for (const char *word : {"return", "goto", "go", "entry"})
      if (hasWord(whole, word))
        return because(Refusal::Jump, word, piece.first);
    bool jumps = hasWord(whole, "exit") || hasWord(whole, "cycle");
    bool inside = std::any_of(piece.blocks.begin(), piece.blocks.end(), [&](int block) {
      size_t head = static_cast<size_t>(block / 1024);
      return head >= first && head <= last && text.pieces[head].isDo();
    });
    if (jumps && (!inside || !end.ends_with(hasWord(whole, "exit") ? "exit" : "cycle")))
      return because(Refusal::Jump, hasWord(whole, "exit") ? "exit" : "cycle", piece.first);
  }
  return {};
}

} // namespace

Refactored makeExtractProcedure(const ActionContext &context, const RefactoringWish &wish) {
  RoutineText text = routineAt(context);
  if (!text.unit || !text.balanced)
    return refused(Refusal::NoProcedure);
  TextPosition end = context.range.end;
  int from = text.pieceAt(context.range.begin.line);
  int to = text.pieceAt(end.column <= 1 && end > context.range.begin ? end.line - 1 : end.line);
  if (from < 0 || to < from)
    return refused(Refusal::NoStatements);
  auto first = static_cast<size_t>(from), last = static_cast<size_t>(to);
  bool whole =
      text.pieces[first].blocks == text.pieces[last].blocks || text.pieces[first].partner == to;
  int level = static_cast<int>(text.pieces[first].blocks.size());
  for (size_t i = first; i <= last; ++i) {
    const Piece &piece = text.pieces[i];
    bool open = piece.partner >= 0 && (piece.partner < from || piece.partner > to);
    whole &= static_cast<int>(piece.blocks.size()) >= level && !open && isExecutable(piece);
  }
  SpecificationPart part = text.specification();
  if (!whole || last >= text.contains + (text.contains + 1 == text.pieces.size() ? 0 : 1) ||
      text.pieces[first].first <= part.lastDeclaration || first == 0)
    return refused(Refusal::NoStatements);
  const std::vector<ScopeInfo> &scopes = context.file.analysis->scopes;
  ScopeKind around = text.scope().parent < 0
                         ? ScopeKind::Global
                         : scopes[static_cast<size_t>(text.scope().parent)].kind;
  if (around == ScopeKind::Subprogram || around == ScopeKind::MainProgram)
    return refused(Refusal::NoProcedure);
  if (text.scope().device)
    return refused(Refusal::DeviceCode);
  if (std::string refusal = text.fixedLines(first, last); !refusal.empty())
    return refused("{}", refusal);
  if (int line = text.directiveFor(first, last); line > 0)
    return refused(Refusal::Directive, line);
  if (std::string refusal = leaving(text, first, last); !refusal.empty())
    return refused("{}", refusal);
  for (const NameAt &name : text.namesIn(first, last))
    if (text.row(name.symbol).implicit && text.row(name.symbol).kind == SymbolKind::Variable)
      return refused(Refusal::UntypedName, text.row(name.symbol).name);
  std::string name = freeName(context, wish.name.empty() ? "extracted" : wish.name);
  std::string unitBlanks = text.indentation(text.pieces.size() - 1);
  TextRange lines = text.linesOf(first, last);
  std::string procedure = unitBlanks + "  subroutine " + name + "()\n" +
                          std::string(context.document().slice(lines)) + "\n" + unitBlanks +
                          "  end subroutine " + name;
  bool contains = text.contains + 1 < text.pieces.size();
  Refactored change;
  change.title = "extract to procedure '" + name + "'";
  std::vector<TextChange> &edits = change.edits[context.file.path];
  edits.push_back({lines, text.indentation(first) + "call " + name + "()"});
  if (contains)
    edits.push_back(linesBelow(context.document(), text.pieces[text.contains].last, procedure));
  else
    edits.push_back(linesAbove(text.pieces.back().first, unitBlanks + "contains\n" + procedure));
  return change;
}

} // namespace cufc
