// An external procedure moves into a module of its own, which all its callers use: so its calls are
// checked from then on.
#include "base/source_text.h"
#include "ide/refactor/callers.h"
#include "ide/refactor/declarations.h"
#include <algorithm>

namespace cufc {
namespace {

// The procedure or main program in which a call stands, without those inside of others.
UnitAround unitOf(const CallPlace &place) {
  const ActionContext &context = place.text->context;
  const Piece &piece = place.text->pieces[place.piece];
  return procedureAround(context, {piece.first, piece.places[0].column});
}

// What a caller says of the procedure goes: EXTERNAL, the type of a function. Why it cannot, or "".
std::string removeDeclared(const CallPlace &place, const std::string &name,
                           std::vector<TextChange> &edits) {
  const Piece &piece = place.text->pieces[place.piece];
  if (piece.word == "end" || piece.word.starts_with("endsub") || piece.word.starts_with("endfun"))
    return {};
  bool plain = isDeclarationWord(piece.word) && piece.role.kind == StatementRole::Other;
  if (!plain)
    return because(Refusal::DeclaredByCaller, piece.first, shortPath(place.file->path), name);
  for (const NameAt &at : place.text->namesIn(place.piece, place.piece))
    if (at.offset == place.offset)
      return removeFrom(*place.text, place.piece, {at.symbol}, edits);
  return because(Refusal::DeclaredByCaller, piece.first, shortPath(place.file->path), name);
}

// USE statements for the callers. `above` becomes the line of the first unit of this file that
// calls.
std::string addUses(const ActionContext &context, const Callers &callers, const UnitAround &unit,
                    const std::string &name, const std::string &module, Refactored &change,
                    int &above) {
  std::set<std::pair<std::string, int>> users;
  for (const CallPlace &place : callers.places) {
    const Piece &piece = place.text->pieces[place.piece];
    bool here = place.file == &context.file;
    if (here && piece.first >= unit.firstLine && piece.last <= unit.lastLine)
      continue;
    if (!place.calls) {
      std::vector<TextChange> edits;
      if (std::string refusal = removeDeclared(place, name, edits); !refusal.empty())
        return refusal;
      std::vector<TextChange> &all = change.edits[place.file->path];
      all.insert(all.end(), edits.begin(), edits.end());
      continue;
    }
    UnitAround user = unitOf(place);
    if (!user)
      return because(Refusal::UsedAsValue, name, piece.first, shortPath(place.file->path));
    TextPosition begin{piece.first, piece.places[0].column};
    if (here)
      above = std::min(above, unitAround(place.text->context, begin, true).firstLine);
    if (!users.emplace(place.file->path, user.scope).second)
      continue;
    SpecificationPart part = specificationOf(place.text->context, user);
    std::string use = part.indentation + "use " + module;
    change.edits[place.file->path].push_back(
        part.lastUse < 1 ? linesAbove(1, use)
                         : linesBelow(place.file->document, part.lastUse, use));
  }
  return {};
}

} // namespace

Refactored makeMoveToModule(const ActionContext &context, const RefactoringWish &wish) {
  SymbolRef procedure = procedureDefinedAt(context);
  if (!procedure)
    return refused(Refusal::NotHere);
  const SymbolInfo &info = procedure.info();
  const std::vector<ScopeInfo> &scopes = context.file.analysis->scopes;
  std::optional<TextRange> now = context.file.now(info.definition);
  int parent = scopes[static_cast<size_t>(info.ownScope)].parent;
  if (!procedure.key().starts_with("/") || !now || info.definition.file != 0 || parent > 0)
    return refused(Refusal::NotExternal, info.name);
  UnitAround unit{info.ownScope, now->begin.line, now->end.line - (now->end.column <= 1 ? 1 : 0)};
  RoutineText text(context, unit);
  if (text.pieces.empty() || !text.balanced)
    return refused(Refusal::Unbalanced);
  if (std::string refusal = text.fixedLines(0, 0); !refusal.empty())
    return refused("{}", refusal);
  if (hasWord(lowerCase(text.pieces[0].text), "bind"))
    return refused(Refusal::NotExternal, info.name);
  for (int line = unit.firstLine; line <= unit.lastLine; ++line)
    if (context.document().line(line).starts_with("#"))
      return refused(Refusal::Preprocessor, line);
  std::string module = freeName(context, wish.name.empty() ? info.name + "_module" : wish.name);
  OpenedFiles opened;
  Callers callers = callersOf(context, procedure, opened);
  if (!callers.refusal.empty())
    return refused("{}", callers.refusal);
  Refactored change;
  change.title = "move '" + info.name + "' into module " + module;
  int above = unit.firstLine; // the module comes before those of its file that use it
  if (std::string refusal = addUses(context, callers, unit, info.name, module, change, above);
      !refusal.empty())
    return refused("{}", refusal);
  std::string blanks = context.file.reading.fixedForm ? "      " : "";
  std::string head = blanks + "module " + module + "\n" + blanks + "contains";
  std::string tail = blanks + "end module " + module;
  std::vector<TextChange> &edits = change.edits[context.file.path];
  if (above == unit.firstLine) {
    edits.push_back(linesAbove(unit.firstLine, head));
    edits.push_back(linesBelow(context.document(), unit.lastLine, tail));
  } else {
    std::string body(context.document().slice(
        {{unit.firstLine, 1},
         {unit.lastLine, static_cast<int>(context.document().line(unit.lastLine).size()) + 1}}));
    edits.push_back(linesAbove(above, head + "\n" + body + "\n" + tail));
    edits.push_back({{{unit.firstLine, 1}, {unit.lastLine + 1, 1}}, ""});
  }
  return change;
}

} // namespace cufc
