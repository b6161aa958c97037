// Parses plain expressions and assignments in one pass over their characters.
//
// flang's parser tries one alternative after the other: each name is tried as a literal of seven
// kinds, a reference, a substring and a designator, each subscript as a triplet first, each operand
// at eleven levels of precedence, and what a failed alternative has made is thrown away. That took
// a third of the time of checking a file of 14,000 lines. Here what most expressions are made of is
// read as it comes: names, components, parentheses with arguments or subscripts, literals without
// quotes, and the operators of the language. The tree, its places in the source and where parsing
// goes on are those of flang, which a test compares
// (tests/unit/analysis/plain_expressions_test.cpp). Whatever else there is, and all that is wrong,
// is flang's: then nothing of this has happened, and the rest of the statement is flang's, too, so
// that nested parentheses are not tried again and again.
//
// The linker puts our functions in place of flang's (--wrap in compiler/CMakeLists.txt); calls
// within flang's expr-parsers.cpp stay, so assignments, which are parsed there, have a function of
// their own.
#include "base/workarounds.h"
#include "flang/Parser/characters.h"
#include "flang/Parser/parse-state.h"
#include "frontend/workarounds/plain_nodes.h"
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <list>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

namespace cufc::plain {
using parser::ParseState;
template <typename T>
using Parsed = std::optional<T>;
} // namespace cufc::plain

// The names follow from the linker's option: flang's functions, and ours in their place.
cufc::plain::Parsed<cufc::plain::Expr> parseExpr(cufc::plain::ParseState &) __asm__(
    "__real__ZN7Fortran6parser6ParserINS0_4ExprEE5ParseERNS0_10ParseStateE");
cufc::plain::Parsed<cufc::plain::Expr> parsePlainExpr(cufc::plain::ParseState &) __asm__(
    "__wrap__ZN7Fortran6parser6ParserINS0_4ExprEE5ParseERNS0_10ParseStateE");
cufc::plain::Parsed<cufc::plain::parser::AssignmentStmt>
parseAssignment(cufc::plain::ParseState &) __asm__(
    "__real__ZN7Fortran6parser6ParserINS0_14AssignmentStmtEE5ParseERNS0_10ParseStateE");
cufc::plain::Parsed<cufc::plain::parser::AssignmentStmt>
parsePlainAssignment(cufc::plain::ParseState &) __asm__(
    "__wrap__ZN7Fortran6parser6ParserINS0_14AssignmentStmtEE5ParseERNS0_10ParseStateE");

// Of flang, for operands that are not plain.
cufc::plain::Parsed<cufc::plain::parser::ArrayConstructor>
parseArrayConstructor(cufc::plain::ParseState &) __asm__(
    "_ZN7Fortran6parser6ParserINS0_16ArrayConstructorEE5ParseERNS0_10ParseStateE");
cufc::plain::Parsed<cufc::plain::parser::CharLiteralConstantSubstring>
parseCharacterSubstring(cufc::plain::ParseState &) __asm__(
    "_ZN7Fortran6parser6ParserINS0_28CharLiteralConstantSubstringEE5ParseERNS0_10ParseStateE");
cufc::plain::Parsed<cufc::plain::parser::LiteralConstant>
parseLiteral(cufc::plain::ParseState &) __asm__(
    "_ZN7Fortran6parser6ParserINS0_15LiteralConstantEE5ParseERNS0_10ParseStateE");
cufc::plain::Parsed<cufc::plain::parser::FunctionReference>
parseReference(cufc::plain::ParseState &) __asm__(
    "_ZN7Fortran6parser6ParserINS0_17FunctionReferenceEE5ParseERNS0_10ParseStateE");
cufc::plain::Parsed<cufc::plain::parser::Designator>
parseDesignator(cufc::plain::ParseState &) __asm__(
    "_ZN7Fortran6parser6ParserINS0_10DesignatorEE5ParseERNS0_10ParseStateE");

namespace cufc::plain {
namespace {

// What is not between quotes has small letters when it is parsed.
constexpr auto isLetter = parser::IsLowerCaseLetter;
constexpr auto isDigit = parser::IsDecimalDigit;
bool isOfName(char c) { return isLetter(c) || isDigit(c) || c == '_'; }

// Reads one expression or assignment. Each function gives nothing where flang shall do it.
class PlainParser {
public:
  explicit PlainParser(ParseState &state)
      : state(state), at(state.GetLocation()), end(at + state.BytesRemaining()) {}

  Parsed<Expr> expression() { return binary(Equivalence); }
  Parsed<Expr> reference(); // a name and all that belongs to it
  // Skips the text and the blanks around it, if it is next.
  bool token(std::string_view text);
  bool atEndOfStatement() const;
  // The file is read until here.
  void finish();

private:
  char peek(std::ptrdiff_t n = 0) const { return end - at > n ? at[n] : '\n'; }
  char next() const; // behind blanks
  std::string_view rest() const { return {at, static_cast<std::size_t>(end - at)}; }
  bool begins(std::string_view text) const { return rest().substr(0, text.size()) == text; }
  void skipBlanks() {
    while (peek() == ' ')
      ++at;
  }
  void skipDigits() {
    while (isDigit(peek()))
      ++at;
  }
  CharBlock since(const char *start) const;

  Parsed<Expr> binary(Precedence least);
  Parsed<Expr> leftmost(Precedence least);
  Parsed<Expr> rightOperand(Precedence precedence);
  Parsed<Expr> andOperand();
  Parsed<Expr> primary();
  Parsed<Expr> parenthesis();
  Parsed<Expr> number();
  bool exponent();
  Parsed<Expr> logical();
  bool kind(Kind &kind);
  Name name();
  bool part(Part &part);
  bool item(Item &item);
  bool bounds(Item &item);
  bool goesOn() const;
  Parsed<Expr> referenceOfFlang();
  template <typename Node>
  Parsed<Node> ofFlang(Parsed<Node> parse(ParseState &));

  ParseState &state;
  const char *at;
  const char *end;
  bool anyToken = false;
  bool refused = false; // something of flang's has a message or a mark
};

// The characters from `start` without the blanks around them, as flang's `sourced` has them.
CharBlock PlainParser::since(const char *start) const {
  const char *last = at;
  while (start < last && last[-1] == ' ')
    --last;
  return {start, last};
}

bool PlainParser::token(std::string_view text) {
  const char *before = at;
  skipBlanks();
  if (!begins(text)) {
    at = before;
    return false;
  }
  at += text.size();
  skipBlanks();
  return anyToken = true;
}

char PlainParser::next() const {
  const char *place = at;
  while (place < end && *place == ' ')
    ++place;
  return place < end ? *place : '\n';
}

bool PlainParser::atEndOfStatement() const { return next() == '\n' || next() == ';'; }

void PlainParser::finish() {
  state.UncheckedAdvance(static_cast<std::size_t>(at - state.GetLocation()));
  if (anyToken)
    state.set_anyTokenMatched();
}

// An operand, and the operators behind it that bind as `least` does or more, with their operands.
Parsed<Expr> PlainParser::binary(Precedence least) {
  skipBlanks();
  const char *start = at;
  // No relation stands beside another one or an operand of .NOT.
  Precedence most = least <= And && begins(".not.") ? And : Power;
  Parsed<Expr> left = leftmost(least);
  while (left) {
    left->source = since(start);
    const char *behind = at;
    skipBlanks();
    const Operator *found = operatorAt(rest());
    // What follows an expression. Anything else, such as an operator that a module defines, a quote
    // or a component, is flang's.
    constexpr std::string_view followers = ")],:=;\n";
    if (found ? found->precedence > most : followers.find(peek()) == std::string_view::npos)
      return std::nullopt;
    // `>>>` ends a launch's configuration, `/)` an array.
    if (!found || found->precedence < least || begins(">>") || begins("/)")) {
      at = behind;
      return left;
    }
    token(found->text);
    Parsed<Expr> right = rightOperand(found->precedence);
    if (!right)
      return std::nullopt;
    left = found->join(std::move(*left), std::move(*right));
    if (found->precedence == Relation)
      most = And;
  }
  return std::nullopt;
}

// Signs are for sums: flang takes `a * -b` with a warning.
Parsed<Expr> PlainParser::leftmost(Precedence least) {
  if (least <= And && begins(".not."))
    return andOperand();
  if (least > Sum || (peek() != '+' && peek() != '-'))
    return primary();
  bool negative = peek() == '-';
  token(negative ? "-" : "+");
  Parsed<Expr> operand = binary(Product);
  if (!operand)
    return std::nullopt;
  return negative ? Expr{Expr::Negate{std::move(*operand)}}
                  : Expr{Expr::UnaryPlus{std::move(*operand)}};
}

Parsed<Expr> PlainParser::rightOperand(Precedence precedence) {
  if (precedence == And)
    return andOperand();
  return binary(precedence == Power ? Power : static_cast<Precedence>(precedence + 1));
}

// Behind .AND. and .NOT. flang gives another .NOT. no place in the source.
Parsed<Expr> PlainParser::andOperand() {
  if (!token(".not."))
    return binary(Relation);
  Parsed<Expr> operand = andOperand();
  if (!operand)
    return std::nullopt;
  return Expr{Expr::NOT{std::move(*operand)}};
}

Parsed<Expr> PlainParser::primary() {
  char first = peek();
  if (isLetter(first))
    return reference();
  if (isDigit(first) || (first == '.' && isDigit(peek(1))))
    return number();
  if (first == '.')
    return logical();
  if (first == '(')
    return parenthesis();
  if (first == '[') {
    if (auto array = ofFlang(parseArrayConstructor))
      return Expr{std::move(*array)};
  } else if (first == '\'' || first == '"') {
    if (auto substring = ofFlang(parseCharacterSubstring))
      return Expr{Boxed<parser::CharLiteralConstantSubstring>{std::move(*substring)}};
    if (auto literal = ofFlang(parseLiteral))
      return Expr{std::move(*literal)};
  }
  return std::nullopt;
}

// Two numbers are a complex one; with expressions for them, or slashes for an array, it is flang's.
Parsed<Expr> PlainParser::parenthesis() {
  const char *start = at;
  token("(");
  Parsed<Expr> inner = expression();
  if (inner && token(")"))
    return Expr{Expr::Parentheses{std::move(*inner)}};
  if (!inner || peek() != ',')
    return std::nullopt;
  at = start;
  if (auto literal = ofFlang(parseLiteral))
    return Expr{std::move(*literal)};
  return std::nullopt;
}

Parsed<Expr> PlainParser::number() {
  const char *start = at;
  bool real = false;
  skipDigits();
  if (peek() == '.') {
    std::ptrdiff_t letters = 1;
    while (isLetter(peek(letters)))
      ++letters;
    real = letters == 1 || peek(letters) != '.'; // not 1.and.
    if (real) {
      ++at;
      skipDigits();
    }
  }
  if (isLetter(peek()) && !exponent())
    return std::nullopt;
  real = real || !std::all_of(start, at, isDigit);
  CharBlock text{start, at};
  Kind ofKind;
  if (!kind(ofKind) || isLetter(peek()))
    return std::nullopt;
  return real ? realOf(text, std::move(ofKind)) : integerOf(text, std::move(ofKind));
}

bool PlainParser::exponent() {
  std::ptrdiff_t digits = peek(1) == '+' || peek(1) == '-' ? 2 : 1;
  if ((peek() != 'e' && peek() != 'd') || !isDigit(peek(digits)))
    return false;
  at += digits;
  skipDigits();
  return true;
}

// _8 or _name behind a number, if there is one.
bool PlainParser::kind(Kind &kind) {
  if (peek() != '_')
    return true;
  ++at;
  if (isLetter(peek())) {
    kind.emplace(kindOfName(name()));
    return true;
  }
  std::uint64_t value = 0;
  const char *digits = at;
  for (; isDigit(peek()); ++at)
    value = value * 10 + static_cast<std::uint64_t>(*at - '0');
  kind.emplace(std::uint64_t{value});
  return at > digits && at - digits < 10;
}

Parsed<Expr> PlainParser::logical() {
  bool value = begins(".true.");
  std::string_view text = value ? ".true." : ".false.";
  if (!begins(text))
    return std::nullopt;
  Kind ofKind;
  at += text.size();
  bool withKind = peek() == '_';
  if (!kind(ofKind))
    return std::nullopt;
  if (!withKind)
    skipBlanks();
  anyToken = true;
  return logicalOf(value, std::move(ofKind));
}

Name PlainParser::name() {
  const char *start = at;
  while (isOfName(peek()))
    ++at;
  return Name{CharBlock{start, at}};
}

// Whether a reference is longer than what was read: parentheses behind parentheses, images.
bool PlainParser::goesOn() const { return next() == '(' || next() == '[' || next() == '%'; }

Parsed<Expr> PlainParser::reference() {
  skipBlanks();
  const char *start = at;
  std::list<Part> parts;
  do {
    if (!isLetter(peek()) || !part(parts.emplace_back()))
      return std::nullopt;
  } while (token("%"));
  if (goesOn()) {
    at = start;
    return referenceOfFlang();
  }
  return referenceTo(std::move(parts), since(start));
}

// Subscripts have no keywords, and there is at least one, wherever they can be nothing else.
bool PlainParser::part(Part &part) {
  part.name = name();
  if (!token("("))
    return true;
  part.parentheses = true;
  if (!token(")")) {
    do {
      if (!item(part.items.emplace_back()))
        return false;
    } while (token(","));
    if (!token(")"))
      return false;
  }
  bool array = hasTriplet(part) || peek() == '%';
  return !array || !(hasKeyword(part) || part.items.empty());
}

bool PlainParser::item(Item &item) {
  skipBlanks();
  const char *start = at;
  if (isLetter(peek())) {
    Name keyword = name();
    if (token("=") && peek() != '=')
      item.keyword = std::move(keyword);
    else
      at = start;
  }
  if (peek() == ':')
    return bounds(item);
  item.first = expression();
  return item.first && bounds(item);
}

bool PlainParser::bounds(Item &item) {
  if (!token(":"))
    return true;
  item.triplet = true;
  if (peek() != ':' && peek() != ',' && peek() != ')' && !(item.second = expression()))
    return false;
  return !token(":") || (item.third = expression());
}

// As flang's grammar has it for a primary and a variable.
Parsed<Expr> PlainParser::referenceOfFlang() {
  const char *start = at;
  if (auto function = ofFlang(parseReference); function && !goesOn())
    return Expr{std::move(*function)};
  at = start;
  if (auto designator = ofFlang(parseDesignator); designator && !goesOn())
    return Expr{std::move(*designator)};
  return std::nullopt;
}

template <typename Node>
Parsed<Node> PlainParser::ofFlang(Parsed<Node> parse(ParseState &)) {
  ParseState there{state};
  there.UncheckedAdvance(static_cast<std::size_t>(at - state.GetLocation()));
  Parsed<Node> node = parse(there);
  if (!node)
    return std::nullopt;
  refused = refused || !there.messages().empty() ||
            there.anyDeferredMessages() != state.anyDeferredMessages() ||
            there.anyErrorRecovery() != state.anyErrorRecovery() ||
            there.anyConformanceViolation() != state.anyConformanceViolation();
  if (refused)
    return std::nullopt;
  at = there.GetLocation();
  anyToken = anyToken || there.anyTokenMatched();
  return node;
}

// The rest of a statement that flang parses.
struct LeftToFlang {
  const char *begin = nullptr, *end = nullptr;

  bool contains(const ParseState &state) const {
    return state.GetLocation() >= begin && state.GetLocation() < end;
  }
  void begins(const ParseState &state) {
    begin = end = state.GetLocation();
    for (std::size_t left = state.BytesRemaining(); left > 0 && *end != '\n'; --left)
      ++end;
  }
};
thread_local LeftToFlang leftToFlang;

bool isPlainFor(const ParseState &state) {
  return isMade(Workaround::PlainExpressions) && !leftToFlang.contains(state);
}

Parsed<parser::Variable> variableOf(Expr &&expr) {
  if (auto *designator = std::get_if<Boxed<parser::Designator>>(&expr.u))
    return parser::Variable{std::move(*designator)};
  if (auto *function = std::get_if<Boxed<parser::FunctionReference>>(&expr.u))
    return parser::Variable{std::move(*function)};
  return std::nullopt;
}

} // namespace
} // namespace cufc::plain

cufc::plain::Parsed<cufc::plain::Expr> parsePlainExpr(cufc::plain::ParseState &state) {
  if (!cufc::plain::isPlainFor(state))
    return parseExpr(state);
  cufc::plain::PlainParser plain(state);
  if (auto result = plain.expression()) {
    plain.finish();
    return result;
  }
  cufc::plain::leftToFlang.begins(state);
  return parseExpr(state);
}

// Many statements are tried as an assignment before it is seen that they are none.
cufc::plain::Parsed<cufc::plain::parser::AssignmentStmt>
parsePlainAssignment(cufc::plain::ParseState &state) {
  if (!cufc::plain::isPlainFor(state))
    return parseAssignment(state);
  cufc::plain::PlainParser plain(state);
  auto left = plain.reference();
  if (!left || !plain.token("="))
    return parseAssignment(state);
  auto variable = cufc::plain::variableOf(std::move(*left));
  auto right = plain.expression();
  if (variable && right && plain.atEndOfStatement()) {
    plain.finish();
    return cufc::plain::parser::AssignmentStmt{std::move(*variable), std::move(*right)};
  }
  cufc::plain::leftToFlang.begins(state);
  return parseAssignment(state);
}
