// What a call lacks: the frame of the procedure, with dummies of the types of what is passed, or an
// interface of it.
#include "base/source_text.h"
#include "ide/declaration.h"
#include "ide/refactor/routine_text.h"
#include <algorithm>

namespace cufc {
namespace {

struct CallText {
  std::string name;
  std::vector<std::string> arguments;
};

CallText callOf(const Piece &piece) {
  CallText call;
  size_t begin = piece.text.find_first_not_of(" \t", 4);
  if (begin == std::string::npos)
    return call;
  size_t end = std::min(piece.text.find_first_of("( \t<", begin), piece.text.size());
  call.name = piece.text.substr(begin, end - begin);
  Subscripts list = subscriptsIn(piece.text, end);
  call.arguments = list.parts;
  if (call.arguments.size() == 1 && call.arguments[0].empty())
    call.arguments.clear();
  return call;
}

bool isDefined(const RoutineText &text, size_t piece, const std::string &name) {
  for (const NameAt &at : text.namesIn(piece, piece)) {
    const SymbolInfo &symbol = text.row(at.symbol);
    if (lowerCase(symbol.name) != lowerCase(name))
      continue;
    if (symbol.intrinsic || symbol.ownScope >= 0 || !symbol.module.empty() ||
        symbol.kind == SymbolKind::Generic || symbol.dummyOf >= 0)
      return true;
    std::string key = "/" + lowerCase(name);
    for (const SourceFile *file : text.context.workspace.filesWith(key, &text.context.file))
      for (int row : file->analysis ? file->symbolsOf(key) : std::vector<int>())
        if (const SymbolInfo &other = file->analysis->symbols[static_cast<size_t>(row)];
            other.ownScope >= 0 || !other.module.empty())
          return true;
  }
  return false;
}

// The declaration of a dummy for an argument; "" if its type is not plain.
std::string dummyFor(const RoutineText &text, size_t piece, const std::string &argument,
                     const std::string &name) {
  bool digits = argument.find_first_not_of("0123456789") == argument.npos;
  if (digits)
    return "integer, intent(in) :: " + name;
  std::string word = lowerCase(argument.substr(0, argument.find('(')));
  bool element = argument.find('(') != argument.npos;
  for (const NameAt &at : text.namesIn(piece, piece)) {
    const SymbolInfo &symbol = text.row(at.symbol);
    bool data = symbol.kind == SymbolKind::Variable || symbol.kind == SymbolKind::Constant;
    if (lowerCase(symbol.name) != trimmed(word) || !data || symbol.type.empty())
      continue;
    bool whole = subscriptsIn(argument, word.size()).close + 1 == argument.size();
    if (element && (symbol.shape.empty() || !whole || argument.find(':') != argument.npos))
      return {};
    if (symbol.type.starts_with("type") || symbol.type.starts_with("class"))
      return {};
    std::string shape;
    if (!element && !symbol.shape.empty()) {
      size_t rank =
          splitList(std::string_view(symbol.shape).substr(1, symbol.shape.size() - 2)).size();
      for (size_t i = 0; i < rank; ++i)
        shape += i > 0 ? ", :" : ":";
      shape.insert(0, "(").append(")");
    }
    std::string type = symbol.type;
    if (type.starts_with("character"))
      type = "character(len=*)";
    if ((symbol.dataAttributes & data_attribute::Device) != 0)
      type += ", device";
    type += symbol.kind == SymbolKind::Constant ? ", intent(in) :: " : " :: ";
    return type.append(name).append(shape);
  }
  return {};
}

std::string dummyName(const std::string &argument, size_t number,
                      const std::vector<std::string> &taken) {
  std::string word = trimmed(argument.substr(0, argument.find_first_of("(%")));
  bool name = !word.empty() && (std::isalpha(static_cast<unsigned char>(word[0])) != 0) &&
              word.find_first_of("+-*/ '\".=") == word.npos &&
              std::find(taken.begin(), taken.end(), lowerCase(word)) == taken.end();
  return name ? word : "argument" + std::to_string(number + 1);
}

} // namespace

Refactored makeGenerateProcedure(const ActionContext &context, const RefactoringWish &) {
  RoutineText text = routineAt(context);
  int at = text.unit && text.balanced ? text.pieceAt(context.range.begin.line) : -1;
  if (at < 0 || text.pieces[static_cast<size_t>(at)].word != "call")
    return refused(Refusal::NoCall);
  auto number = static_cast<size_t>(at);
  CallText call = callOf(text.pieces[number]);
  if (call.name.empty() || call.name.find('%') != std::string::npos ||
      text.pieces[number].text.find("<<<") != std::string::npos || text.scope().device)
    return refused(Refusal::NoCall);
  if (isDefined(text, number, call.name))
    return refused(Refusal::IsDefined, call.name);
  UnitAround outer = text.unit;
  const std::vector<ScopeInfo> &scopes = context.file.analysis->scopes;
  bool module = false;
  for (int scope = text.unit.scope; scope > 0; scope = scopes[static_cast<size_t>(scope)].parent) {
    const ScopeInfo &row = scopes[static_cast<size_t>(scope)];
    std::optional<TextRange> place = context.file.now(row.place);
    module |= row.kind == ScopeKind::Module || row.kind == ScopeKind::Submodule;
    if (!module && place)
      outer = {scope, place->begin.line, place->end.line - (place->end.column <= 1 ? 1 : 0)};
  }
  RoutineText host(context, outer);
  std::string blanks = indentationOf(context.document(), outer.firstLine) + (module ? "" : "  ");
  std::vector<std::string> taken;
  std::string list, declarations;
  for (size_t i = 0; i < call.arguments.size(); ++i) {
    std::string name = dummyName(call.arguments[i], i, taken);
    std::string declaration = dummyFor(text, number, call.arguments[i], name);
    if (declaration.empty())
      return refused(Refusal::ArgumentForm, call.arguments[i]);
    taken.push_back(lowerCase(name));
    list += (i > 0 ? ", " : "") + name;
    declarations.append(blanks).append("  ").append(declaration).append("\n");
  }
  std::string procedure = blanks + "subroutine " + call.name + "(" + list + ")\n" + declarations +
                          blanks + "  error stop '" + call.name + " is not written yet'\n" +
                          blanks + "end subroutine " + call.name;
  Refactored change;
  change.title = "generate subroutine '" + call.name + "'";
  std::vector<TextChange> &edits = change.edits[context.file.path];
  bool contains = host.contains + 1 < host.pieces.size();
  if (module)
    edits.push_back(linesBelow(context.document(), outer.lastLine, procedure));
  else if (contains)
    edits.push_back(linesBelow(context.document(), host.pieces[host.contains].last, procedure));
  else
    edits.push_back(
        linesAbove(host.pieces.back().first,
                   indentationOf(context.document(), outer.firstLine) + "contains\n" + procedure));
  return change;
}

Refactored makeGenerateInterface(const ActionContext &context, const RefactoringWish &) {
  ActionContext at = context;
  std::string line(context.document().line(context.range.begin.line));
  size_t call = lowerCase(line).find("call");
  size_t name = call == std::string::npos ? call : line.find_first_not_of(" \t", call + 4);
  if (name == std::string::npos)
    return refused(Refusal::NoCall);
  at.range.begin = at.range.end = {context.range.begin.line, static_cast<int>(name) + 1};
  CodeActions actions;
  addExplicitInterface(at, actions);
  if (actions.empty())
    return refused(Refusal::NoDefinition, trimmed(line.substr(name, line.find('(') - name)));
  Refactored change;
  change.title = actions[0].title;
  change.edits = std::move(actions[0].edits);
  return change;
}

} // namespace cufc
