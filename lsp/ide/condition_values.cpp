// Operator precedence climbing over C's operators. && and || know their value as soon as one side
// decides it. A name that is no macro is 0, as in C.
#include "ide/condition_values.h"
#include <cctype>
#include <cstdlib>
#include <iterator>

namespace cufc {
namespace {

using Value = std::optional<std::int64_t>;

constexpr int deepest = 64;        // nested parentheses and macros
constexpr int mostOperands = 2000; // macros may double what they expand to again and again

bool isNameStart(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool isNamePart(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

Value applied(std::string_view op, std::int64_t a, std::int64_t b) {
  auto wrapped = [](auto x) { return static_cast<std::int64_t>(x); };
  auto ua = static_cast<std::uint64_t>(a), ub = static_cast<std::uint64_t>(b);
  if (op == "==" || op == "!=")
    return (a == b) == (op == "==");
  if (op == "<")
    return a < b;
  if (op == ">")
    return a > b;
  if (op == "<=")
    return a <= b;
  if (op == ">=")
    return a >= b;
  if (op == "+")
    return wrapped(ua + ub);
  if (op == "-")
    return wrapped(ua - ub);
  if (op == "*")
    return wrapped(ua * ub);
  if (op == "&")
    return a & b;
  if (op == "|")
    return a | b;
  if (op == "^")
    return a ^ b;
  if (op == "<<" || op == ">>")
    return b < 0 || b > 63 ? Value() : Value(op == "<<" ? wrapped(ua << ub) : a >> b);
  if (b == 0 || (b == -1 && a == INT64_MIN)) // of / and %
    return std::nullopt;
  return op == "/" ? a / b : a % b;
}

class Evaluator {
public:
  Evaluator(std::string_view text, const MacroTable &macros, int depth, int &operands)
      : text(text), macros(macros), depth(depth), operands(operands) {}

  Value whole() {
    Value value = binary(1);
    skipBlanks();
    return at < text.size() ? std::nullopt : value;
  }

private:
  struct Operator {
    std::string_view text;
    int precedence;
  };

  void skipBlanks() {
    while (at < text.size()) {
      if (std::isspace(static_cast<unsigned char>(text[at]))) {
        ++at;
      } else if (text.substr(at, 2) == "/*") {
        size_t end = text.find("*/", at + 2);
        at = end == std::string_view::npos ? text.size() : end + 2;
      } else if (text.substr(at, 2) == "//") {
        at = text.size();
      } else {
        return;
      }
    }
  }

  const Operator *nextOperator() {
    static constexpr Operator operators[] = {{"||", 1}, {"&&", 2}, {"==", 6}, {"!=", 6}, {"<<", 8},
                                             {">>", 8}, {"<=", 7}, {">=", 7}, {"<", 7},  {">", 7},
                                             {"|", 3},  {"^", 4},  {"&", 5},  {"+", 9},  {"-", 9},
                                             {"*", 10}, {"/", 10}, {"%", 10}};
    skipBlanks();
    for (const Operator &candidate : operators)
      if (text.substr(at).starts_with(candidate.text))
        return &candidate;
    return nullptr;
  }

  Value binary(int lowest) {
    Value left = unary();
    while (const Operator *op = nextOperator()) {
      if (op->precedence < lowest)
        break;
      at += op->text.size();
      Value right = binary(op->precedence + 1);
      if (op->text == "&&")
        left = (left && !*left) || (right && !*right) ? Value(0)
               : left && right                        ? Value(1)
                                                      : Value();
      else if (op->text == "||")
        left = (left && *left) || (right && *right) ? Value(1) : left && right ? Value(0) : Value();
      else
        left = left && right ? applied(op->text, *left, *right) : Value();
    }
    return left;
  }

  Value unary() {
    skipBlanks();
    if (at >= text.size())
      return std::nullopt;
    if (depth >= deepest || ++operands > mostOperands) {
      at = text.size();
      return std::nullopt;
    }
    ++depth;
    Value value = prefixed();
    --depth;
    return value;
  }

  Value prefixed() {
    char c = text[at];
    if (c == '!' || c == '-' || c == '+' || c == '~') {
      ++at;
      Value value = unary();
      if (!value)
        return value;
      return c == '!'   ? Value(!*value)
             : c == '-' ? applied("-", 0, *value)
             : c == '~' ? Value(~*value)
                        : value;
    }
    if (c != '(')
      return operand();
    ++at;
    Value value = binary(1);
    skipBlanks();
    if (at >= text.size() || text[at] != ')')
      return std::nullopt;
    ++at;
    return value;
  }

  Value operand() {
    if (std::isdigit(static_cast<unsigned char>(text[at])))
      return number();
    if (!isNameStart(text[at])) {
      ++at;
      return std::nullopt;
    }
    std::string_view word = name();
    if (word == "defined")
      return definedValue();
    auto row = macros.known.find(word);
    if (row == macros.known.end()) {
      skipBlanks();
      bool call = at < text.size() && text[at] == '('; // of what is not known
      return macros.complete && !call ? Value(0) : Value();
    }
    if (row->second.function || depth >= deepest)
      return std::nullopt;
    return Evaluator(row->second.text, macros, depth + 1, operands).whole();
  }

  std::string_view name() {
    size_t begin = at;
    while (at < text.size() && isNamePart(text[at]))
      ++at;
    return text.substr(begin, at - begin);
  }

  Value definedValue() {
    skipBlanks();
    bool parenthesis = at < text.size() && text[at] == '(';
    at += parenthesis ? 1 : 0;
    skipBlanks();
    std::string_view word = name();
    skipBlanks();
    if (parenthesis && at < text.size() && text[at] == ')')
      ++at;
    if (word.empty())
      return std::nullopt;
    if (macros.known.contains(word))
      return 1;
    return macros.complete ? Value(0) : Value();
  }

  Value number() {
    size_t begin = at;
    while (at < text.size() && isNamePart(text[at]))
      ++at;
    std::string digits(text.substr(begin, at - begin));
    while (!digits.empty() &&
           std::string_view("uUlL").find(digits.back()) != std::string_view::npos)
      digits.pop_back();
    char *end = nullptr;
    auto value = std::strtoll(digits.c_str(), &end, 0);
    return end && *end == '\0' ? Value(value) : Value();
  }

  std::string_view text;
  const MacroTable &macros;
  int depth;
  int &operands; // looked at so far
  size_t at = 0;
};

} // namespace

std::optional<std::int64_t> conditionValue(std::string_view expression, const MacroTable &macros) {
  int operands = 0;
  return Evaluator(expression, macros, 0, operands).whole();
}

} // namespace cufc
