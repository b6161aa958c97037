// A new statement goes behind the last USE of the innermost unit around the cursor that has one,
// otherwise behind the first statement of the outermost.
#include "ide/use_edits.h"
#include "source/blocks.h"
#include "source/statements.h"

namespace cufc {
namespace {

constexpr int mostLines = 60; // of one statement
constexpr int mostBlankLines = 20;

// The statement that holds a place, with places of the document.
std::optional<Statement> statementAt(const SourceFile &file, TextPosition place) {
  std::string text(file.document.slice({{place.line, 1}, {place.line + mostLines, 1}}));
  std::optional<Statement> result;
  forEachStatement(text, file.reading.fixedForm, file.reading.columns, [&](const Statement &found) {
    TextPosition last{found.places.back().line + place.line - 1, found.places.back().column};
    if (result || last < place)
      return;
    result = found;
    for (Statement::Place &one : result->places)
      one.line += place.line - 1;
  });
  return result;
}

TextPosition endOf(const Statement &statement) {
  size_t last = statement.text.find_last_not_of(" \t");
  last = last == std::string::npos ? statement.places.size() - 1 : last;
  return {statement.places[last].line, statement.places[last].column + 1};
}

bool isBlank(std::string_view line) {
  return line.find_first_not_of(" \t") == std::string_view::npos;
}

std::string indentationOf(std::string_view line) {
  return std::string(line.substr(0, std::min(line.find_first_not_of(" \t"), line.size())));
}

} // namespace

UseEdits::UseEdits(const Query &query, const VisibleNames &names, bool capitals)
    : query(query), names(names), capitals(capitals) {
  findPlace();
}

void UseEdits::findPlace() {
  const Analysis *analysis = names.analysis();
  const ScopeInfo *unit = nullptr;
  for (int number = names.scope(); analysis && number > 0;) {
    const ScopeInfo &scope = analysis->scopes[static_cast<size_t>(number)];
    bool isUnit = scope.kind == ScopeKind::Module || scope.kind == ScopeKind::Submodule ||
                  scope.kind == ScopeKind::MainProgram || scope.kind == ScopeKind::Subprogram;
    if (isUnit && (!unit || unit->uses.empty()))
      unit = &scope;
    number = scope.parent;
  }
  if (!unit)
    return;
  const SourceFile &file = query.file;
  Place anchor = unit->place;
  for (const UseInfo &use : unit->uses)
    if (use.place.file == 0 && (use.place.line > anchor.line || anchor == unit->place))
      anchor = use.place;
  std::optional<TextRange> now = file.now(anchor);
  std::optional<Statement> statement = now ? statementAt(file, now->begin) : std::nullopt;
  if (!statement)
    return;
  bool isUse = !unit->uses.empty() && !(anchor == unit->place);
  int first = statement->places.front().line, last = endOf(*statement).line;
  bool withoutHead = !isUse && roleOf(statement->text, false).kind != StatementRole::Opens;
  int model = isUse || withoutHead ? first : last + 1; // the line whose indentation is taken
  while (model < last + mostBlankLines && isBlank(file.document.line(model)))
    ++model;
  std::string indentation = indentationOf(file.document.line(model));
  if (indentation.empty() && file.reading.fixedForm)
    indentation = "      ";
  // At the end of a line, so that it never touches what is edited at the cursor.
  place = TextPosition{last, static_cast<int>(file.document.line(last).size()) + 1};
  before = "\n" + indentation;
  if (withoutHead) { // a main program without its statement
    place = TextPosition{first, 1};
    before = indentation;
    after = "\n";
  }
}

std::vector<TextChange> UseEdits::add(const std::string &module, const std::string &name) const {
  VisibleNames::Used used = names.used(module, name);
  if (used.visible)
    return {};
  if (used.use && !name.empty())
    if (std::optional<TextRange> now = query.file.now(used.use->place))
      if (std::optional<Statement> statement = statementAt(query.file, now->begin)) {
        TextPosition end = endOf(*statement);
        bool noNames = used.use->names.empty();
        return {{{end, end}, (noNames ? " " : ", ") + name}};
      }
  if (!place)
    return {};
  std::string text = capitals ? "USE " : "use ";
  text += module;
  if (!name.empty())
    text += (capitals ? ", ONLY: " : ", only: ") + name;
  return {{{*place, *place}, before + text + after}};
}

} // namespace cufc
