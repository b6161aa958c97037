// See keywords.h.
#include "ide/format/keywords.h"
#include "base/source_text.h"
#include "source/statement_words.h"

namespace cufc {
namespace {

constexpr unsigned attributes = word_role::Memory | word_role::Data | word_role::Part;

bool isProcedureWord(std::string_view word) { return word == "subroutine" || word == "function"; }

bool isSecond(const KeywordContext &c) {
  const std::string &before = c.previous;
  if (before == "end")
    return hasRole(c.word, word_role::Closes);
  if (before == "else")
    return c.word == "if" || c.word == "where";
  if (before == "select")
    return c.word == "case" || c.word == "type" || c.word == "rank";
  if (before == "do")
    return c.word == "while" || c.word == "concurrent";
  if (before == "implicit")
    return c.word == "none";
  if (before == "error")
    return c.word == "stop";
  if (before == "go")
    return c.word == "to";
  if (before == "double")
    return c.word == "precision";
  if (before == "type" || before == "class")
    return c.word == "is" || c.word == "default";
  if (before == "case")
    return c.word == "default";
  if (before == "abstract")
    return c.word == "interface";
  if (before == "module" && c.word == "procedure")
    return true;
  if (before != ")" && !isBeforeProcedure(before))
    return false;
  if (isProcedureWord(c.word))
    return true;
  // "integer module" declares a variable.
  std::string next = lowerCase(c.next);
  bool goesOn = isProcedureWord(next) || isBeforeProcedure(next);
  return isBeforeProcedure(c.word) && (goesOn || (before != ")" && next == "("));
}

} // namespace

bool isKeyword(const KeywordContext &c) {
  if (c.beginsStatement)
    return !c.assignment && c.next != "%" && c.next != "=" && c.next != "=>" &&
           beginsStatement(c.word);
  if (c.depth > 0)
    return c.declaration &&
           ((c.previous == "(" && (c.word == "in" || c.word == "out" || c.word == "inout")) ||
            (c.word == "kind" && c.next == "="));
  if (c.word == "only")
    return c.previous == "," && c.next == ":";
  if (c.word == "then")
    return c.last && (c.previous == ")" || c.previous.empty());
  if (c.word == "result" || c.word == "bind")
    return c.previous == ")" && c.next == "(";
  if (c.declaration && c.previous == "," && hasRole(c.word, attributes))
    return c.next == "," || c.next == "::" || c.next == "(";
  return isSecond(c);
}

} // namespace cufc
