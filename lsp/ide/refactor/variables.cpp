// An expression gets a name, and a variable goes where its value can stand in its place.
#include "base/source_text.h"
#include "ide/refactor/dependence.h"
#include <algorithm>

namespace cufc {
namespace {

bool isNumberWord(const std::string &word) { return word[0] >= '0' && word[0] <= '9'; }

bool isScalarNumber(const std::string &type) {
  return type.starts_with("real") || type.starts_with("integer");
}

// Types of what an expression of + - * / and parentheses names: all of one type, with integers
// between reals; "" if it cannot be told.
std::string typeOf(const RoutineText &text, size_t piece, size_t begin, size_t end) {
  const std::string &whole = text.pieces[piece].text;
  std::string type;
  bool integers = false;
  for (const NameAt &name : text.namesIn(piece, piece)) {
    if (name.offset < begin || name.offset >= end)
      continue;
    const SymbolInfo &symbol = text.row(name.symbol);
    bool subscript = false; // of an array that was seen
    for (const NameAt &array : text.namesIn(piece, piece)) {
      Subscripts at = subscriptsIn(whole, array.offset + array.length);
      subscript |= array.offset >= begin && at && at.open < name.offset && name.offset < at.close;
    }
    Subscripts own = subscriptsIn(whole, name.offset + name.length);
    bool data = symbol.kind == SymbolKind::Variable || symbol.kind == SymbolKind::Constant;
    bool element = symbol.shape.empty() ? !own : bool(own);
    for (const std::string &part : own.parts)
      element &= part.find(':') == part.npos;
    if (!data || !element || (!subscript && !isScalarNumber(symbol.type)))
      return {};
    if (subscript && (!symbol.type.starts_with("integer") || (!symbol.shape.empty() && !own)))
      return {};
    if (subscript)
      continue;
    if (symbol.type.starts_with("integer")) {
      integers = true;
      if (type.empty() || type.starts_with("integer"))
        if (!type.empty() && type != symbol.type)
          return {};
      if (type.empty())
        type = symbol.type;
    } else if (type.empty() || type.starts_with("integer") || type == symbol.type) {
      type = symbol.type;
    } else {
      return {};
    }
  }
  bool plain = true;
  std::string part = whole.substr(begin, end - begin);
  int depth = 0;
  for (size_t i = 0; i < part.size(); ++i) {
    char c = part[i];
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    bool dot = c == '.' && (i + 1 >= part.size() || part[i + 1] < '0' || part[i + 1] > '9');
    plain &= std::string_view("'\"%=<>[]:").find(c) == std::string_view::npos &&
             !(c == ',' && depth == 0) && depth >= 0 && !dot;
  }
  // Numbers with a point or an exponent would add a type of their own.
  forEachWordIn(part, [&](const std::string &word, size_t at) {
    bool real = isNumberWord(word) &&
                (word.find_first_of("de_") != word.npos || (at > 0 && part[at - 1] == '.') ||
                 (at + word.size() < part.size() && part[at + word.size()] == '.'));
    plain &= !real || type.starts_with("real(8)");
    plain &= !(real && word.find('_') != word.npos);
  });
  return plain && depth == 0 && (!integers || !type.empty()) ? type : "";
}

size_t offsetAt(const Piece &piece, TextPosition at) {
  for (size_t i = 0; i < piece.places.size(); ++i)
    if (TextPosition{piece.places[i].line, piece.places[i].column} >= at)
      return i;
  return piece.places.size();
}

// Whether a part of an expression can be taken out: nothing beside it binds more strongly.
bool isWholeOperand(const std::string &whole, size_t begin, size_t end) {
  size_t before = whole.find_last_not_of(" \t", begin == 0 ? 0 : begin - 1);
  size_t behind = whole.find_first_not_of(" \t", end);
  char left = begin == 0 || before == std::string::npos ? '\0' : whole[before];
  char right = behind == std::string::npos ? '\0' : whole[behind];
  return (left == '(' || left == ',' || left == '=') &&
         (right == ')' || right == ',' || right == '\0');
}

// The places that read a variable, or why they cannot have the value of its assignment.
std::string readsOf(const RoutineText &text, size_t number, int symbol,
                    std::vector<NameAt> &reads) {
  const SymbolInfo &variable = text.row(symbol);
  for (const NameAt &name : text.names) {
    if (name.symbol != symbol || name.piece == number || name.role == Role::Declaration)
      continue;
    int line = text.pieces[name.piece].first;
    if (name.role != Role::Read)
      return because(Refusal::AssignedTwice, variable.name, line);
    if (!text.dominates(number, name.piece) || name.piece > text.contains)
      return because(Refusal::ReadElsewhere, variable.name, line);
    if (std::string refusal = text.fixedLines(name.piece, name.piece); !refusal.empty())
      return refusal;
    if (text.pieces[name.piece].word == "call") // as an actual argument it is another thing
      return because(Refusal::OperandChanges, variable.name, line);
    reads.push_back(name);
  }
  return {};
}

// Refused if the value of a variable that is assigned in `number` may be another one in `last`.
Refactored refusedBetween(const RoutineText &text, const Accesses &accesses, int symbol,
                          size_t number, size_t last) {
  // With what a loop around the last place changes behind it. What that statement assigns itself
  // comes after its value.
  size_t until = last - 1;
  for (int block : text.pieces[last].blocks)
    if (size_t head = static_cast<size_t>(block / 1024); head > number)
      until = std::max(until, static_cast<size_t>(std::max(0, text.pieces[head].partner)));
  Accesses between;
  if (until > number)
    between = accessesOf(text, number + 1, until);
  if (!between.refusal.empty())
    return refused("{}", between.refusal);
  for (int operand : accesses.scalars)
    if (operand != symbol && between.changed.contains(operand))
      return refused(Refusal::OperandChanges, text.row(operand).name, text.pieces[last].first);
  for (int operand : accesses.arrays)
    if (between.changed.contains(operand))
      return refused(Refusal::OperandChanges, text.row(operand).name, text.pieces[last].first);
  return {};
}

} // namespace

Refactored makeExtractVariable(const ActionContext &context, const RefactoringWish &wish) {
  RoutineText text = routineAt(context);
  int at = text.unit ? text.pieceAt(context.range.begin.line) : -1;
  if (at < 0)
    return refused(Refusal::NoProcedure);
  auto number = static_cast<size_t>(at);
  const Piece &piece = text.pieces[number];
  size_t begin = offsetAt(piece, context.range.begin), end = offsetAt(piece, context.range.end);
  while (begin < end && piece.text[begin] == ' ')
    ++begin;
  while (end > begin && piece.text[end - 1] == ' ')
    --end;
  size_t equals = piece.text.find('=');
  if (begin >= end || equals == std::string::npos || begin < equals ||
      piece.role.kind != StatementRole::Other || !isWholeOperand(piece.text, begin, end))
    return refused(Refusal::NoExpression);
  if (piece.word == "if" || piece.word == "where" || piece.word == "forall")
    return refused(Refusal::NotEvaluated);
  if (std::string refusal = text.fixedLines(number, number); !refusal.empty())
    return refused("{}", refusal);
  if (piece.label > 0)
    return refused(Refusal::Label, piece.first);
  for (int block : piece.blocks)
    if (const std::string &word = text.pieces[static_cast<size_t>(block / 1024)].word;
        word == "where" || word == "forall")
      return refused(Refusal::NotEvaluated);
  Accesses accesses = accessesOf(text, number, number);
  if (!accesses.refusal.empty())
    return refused("{}", accesses.refusal);
  bool inList = false; // an implied DO gives it many values
  for (char c : piece.text)
    inList |= c == '[';
  if (inList || piece.text.find("(/") != std::string::npos)
    return refused(Refusal::NotEvaluated);
  std::string type = typeOf(text, number, begin, end);
  if (type.empty())
    return refused(Refusal::TypeUnknown);
  std::string name = freeName(context, wish.name.empty() ? "value" : wish.name);
  SpecificationPart part = text.specification();
  Refactored change;
  change.title = "extract to a variable";
  change.edits[context.file.path] = {
      linesBelow(context.document(), part.lastDeclaration, part.indentation + type + " :: " + name),
      linesAbove(piece.first,
                 text.indentation(number) + name + " = " + piece.text.substr(begin, end - begin)),
      {text.rangeOf(number, begin, end - begin), name}};
  return change;
}

Refactored makeInlineVariable(const ActionContext &context, const RefactoringWish &) {
  RoutineText text = routineAt(context);
  int at = text.unit && text.balanced ? text.pieceAt(context.range.begin.line) : -1;
  if (at < 0)
    return refused(Refusal::NoProcedure);
  auto number = static_cast<size_t>(at);
  const Piece &piece = text.pieces[number];
  std::vector<NameAt> here = text.namesIn(number, number);
  if (here.empty() || here[0].offset != 0 || here[0].role != Role::Write ||
      !text.row(here[0].symbol).shape.empty() || !text.isOwn(here[0].symbol))
    return refused(Refusal::NoVariable);
  int symbol = here[0].symbol;
  const SymbolInfo &variable = text.row(symbol);
  size_t equals = piece.text.find('=');
  std::string value = trimmed(std::string_view(piece.text).substr(equals + 1));
  if (std::string refusal = text.fixedLines(number, number); !refusal.empty())
    return refused("{}", refusal);
  Accesses accesses = accessesOf(text, number, number);
  if (!accesses.refusal.empty())
    return refused("{}", accesses.refusal);
  if (typeOf(text, number, equals + 1, piece.text.size()) != variable.type)
    return refused(Refusal::Converts);
  std::vector<NameAt> reads;
  if (std::string refusal = readsOf(text, number, symbol, reads); !refusal.empty())
    return refused("{}", refusal);
  size_t last = number;
  for (const NameAt &read : reads)
    last = std::max(last, read.piece);
  if (reads.empty())
    return refused(Refusal::NeverRead, variable.name);
  for (const NameAt &name : text.namesIn(last, last))
    if (const SymbolInfo &row = text.row(name.symbol);
        !row.intrinsic && (row.kind == SymbolKind::Function || row.kind == SymbolKind::Generic ||
                           row.kind == SymbolKind::Binding))
      return refused(Refusal::Effect, row.name, text.pieces[last].first);
  if (Refactored refusal = refusedBetween(text, accesses, symbol, number, last);
      !refusal.refusal.empty())
    return refusal;
  std::vector<TextChange> edits = {{{{piece.first, 1}, {piece.last + 1, 1}}, ""}};
  for (const NameAt &read : reads) {
    if (text.pieces[read.piece].text.size() + value.size() > 120)
      return refused(Refusal::TooLong);
    edits.push_back({text.rangeOf(read.piece, read.offset, read.length), "(" + value + ")"});
  }
  Refactored change;
  change.title = "inline '" + variable.name + "'";
  change.edits[context.file.path] = std::move(edits);
  return change;
}

} // namespace cufc
