// See callers.h.
#include "ide/refactor/callers.h"
#include "base/source_text.h"
#include "ide/declaration.h"
#include <algorithm>

namespace cufc {
namespace {

bool isInInterface(const SourceFile &file, const SymbolInfo &row) {
  return row.scope >= 0 &&
         file.analysis->scopes[static_cast<size_t>(row.scope)].kind == ScopeKind::Interface;
}

CallPlace placeOf(const std::shared_ptr<RoutineText> &text, const TextRange &range, Role role) {
  CallPlace place;
  place.file = &text->context.file;
  place.text = text;
  place.role = role;
  int at = text->pieceAt(range.begin.line);
  place.piece = at < 0 ? text->pieces.size() : static_cast<size_t>(at);
  for (size_t i = place.piece; i < text->pieces.size(); ++i) { // several may share a line
    const std::vector<Statement::Place> &places = text->pieces[i].places;
    for (size_t c = 0; c < places.size(); ++c)
      if (places[c].line == range.begin.line && places[c].column == range.begin.column) {
        place.piece = i;
        place.offset = c;
        place.length = static_cast<size_t>(range.end.column - range.begin.column);
        return place;
      }
    if (text->pieces[i].first > range.begin.line)
      break;
  }
  place.piece = text->pieces.size();
  return place;
}

} // namespace

std::string shortPath(const std::string &path) { return path.substr(path.rfind('/') + 1); }

SymbolRef procedureDefinedAt(const ActionContext &context) {
  const Analysis &analysis = *context.file.analysis;
  for (size_t i = 0; i < analysis.symbols.size(); ++i) {
    const SymbolInfo &symbol = analysis.symbols[i];
    std::optional<TextRange> name = context.file.now(symbol.declared);
    if (isProcedure(symbol) && symbol.ownScope >= 0 && symbol.declared.file == 0 && name &&
        name->begin.line == context.range.begin.line && symbol.module.empty())
      return {&context.file, static_cast<int>(i)};
  }
  return {};
}

Callers callersOf(const ActionContext &context, SymbolRef procedure, OpenedFiles &opened) {
  Callers result;
  const std::string &key = procedure.key();
  for (const SourceFile *known : context.workspace.filesWith(key, &context.file)) {
    if (!known->analysis)
      continue;
    const SourceFile &file = known == &context.file ? context.file : opened(*known);
    for (int symbol : file.symbolsOf(key)) { // of two procedures of one name nobody knows which
      const SymbolInfo &row = file.analysis->symbols[static_cast<size_t>(symbol)];
      if (isProcedure(row) && row.ownScope >= 0 && row.module.empty() && row.definition.file == 0 &&
          &file != procedure.file && row.moduleInterface < 0 && !isInInterface(file, row))
        result.refusal = because(Refusal::UsedAsValue, procedure.info().name, row.declared.line,
                                 shortPath(file.path));
    }
    ActionContext place = placeIn(context, file);
    std::shared_ptr<RoutineText> text;
    for (int number : file.occurrencesOf(key)) {
      const Occurrence &name = file.analysis->occurrences[static_cast<size_t>(number)];
      std::optional<TextRange> now = file.now(name.place);
      if (name.place.file < 0)
        continue;
      if (name.place.file > 0 || !now) {
        result.refusal = because(Refusal::UsedAsValue, procedure.info().name, name.place.line,
                                 shortPath(file.path));
        return result;
      }
      if (!text) // lives as long as the context that it names
        text = std::shared_ptr<RoutineText>(
            new RoutineText(*new ActionContext(place), {0, 1, file.document.lineCount()}),
            [](RoutineText *made) {
              const ActionContext *own = &made->context;
              delete made;
              delete own;
            });
      CallPlace found = placeOf(text, *now, name.role);
      if (found.piece >= text->pieces.size()) {
        result.refusal = because(Refusal::UsedAsValue, procedure.info().name, now->begin.line,
                                 shortPath(file.path));
        return result;
      }
      found.calls = name.role == Role::Call || name.role == Role::Launch || name.role == Role::Read;
      result.places.push_back(found);
    }
  }
  return result;
}

} // namespace cufc
