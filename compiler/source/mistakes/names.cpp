// What flang's parser takes for something else, so that only names show the mistake: printf, true,
// y[i], headers of C.
#include "base/flang_phrases.h"
#include "base/mistake_diag.h"
#include "source/api_names.h"
#include "source/blocks.h"
#include "source/mistakes/mistake_text.h"
#include <algorithm>
#include <fmt/format.h>

namespace cufc {
namespace {

using Found = std::optional<Diagnostic>;

// The place of a number that stands alone between commas or parentheses.
std::optional<size_t> endOfNumber(std::string_view code, size_t begin) {
  size_t end = begin;
  while (end < code.size() && (isNameCharacter(code[end]) || code[end] == '.' ||
                               ((code[end] == '+' || code[end] == '-') && end > begin &&
                                (code[end - 1] == 'd' || code[end - 1] == 'e'))))
    ++end;
  bool digit =
      begin < code.size() && ((code[begin] >= '0' && code[begin] <= '9') || code[begin] == '.');
  if (!digit || end == begin || code.substr(begin, end - begin).find('_') != std::string_view::npos)
    return std::nullopt;
  return end;
}

// "call k<<<g, b>>>(x, 2)" where a real is wanted, 2.0d0 where one of kind 4 is.
Found literalArgument(const MistakePlace &at) {
  if (at.error.code != "CUF1213")
    return std::nullopt;
  const std::string &message = at.error.message;
  size_t but = message.find(", but the procedure takes ");
  auto end = endOfNumber(at.code, at.column);
  if (but == std::string::npos || !end)
    return std::nullopt;
  std::string number(at.raw.substr(at.column, *end - at.column));
  bool isInteger = message.find("type INTEGER") < but,
       isDouble = message.find("type REAL(8)") < but;
  bool wantsSingle = message.find("REAL(4)", but) != std::string::npos;
  bool wantsDouble = message.find("REAL(8)", but) != std::string::npos;
  size_t exponent = number.find_first_of("dDeE");
  if (isInteger && wantsSingle)
    number += ".0";
  else if (isInteger && wantsDouble)
    number += ".0d0";
  else if (isDouble && wantsSingle && exponent != std::string::npos)
    number = number.substr(exponent + 1) == "0" ? number.substr(0, exponent)
                                                : number.replace(exponent, 1, "e");
  else if (!isDouble && !isInteger && wantsDouble && exponent == std::string::npos)
    number += "d0";
  else if (!isDouble && !isInteger && wantsDouble)
    number.replace(exponent, 1, "d");
  else
    return std::nullopt;
  return Finding(at)
      .underline(at.column, *end)
      .fix("write " + number)
      .replace(at.column, *end, number);
}

// "a == b" of logical values
Found comparison(const MistakePlace &at) {
  bool refused = at.error.code == "CUF1203" && at.error.message.find(".EQV.") != std::string::npos;
  if ((!refused && at.error.code != "CUF1322") || at.error.range.endLine != at.line)
    return std::nullopt;
  size_t end = static_cast<size_t>(at.error.range.endColumn - 1);
  static constexpr std::pair<std::string_view, std::string_view> words[] = {
      {"==", ".eqv."}, {".eq.", ".eqv."}, {"/=", ".neqv."}, {".ne.", ".neqv."}};
  for (auto [sign, word] : words) {
    size_t place = at.code.find(sign, at.column);
    if (place == std::string::npos || place + sign.size() > end)
      continue;
    size_t behind = place + sign.size();
    bool blanks = sign[0] == '.';
    return Finding(at)
        .fix(fmt::format("replace by '{}'", word))
        .replace(place, behind,
                 fmt::format("{}{}{}", blanks || at.code[place - 1] == ' ' ? "" : " ", word,
                             blanks || at.code[behind] == ' ' ? "" : " "));
  }
  return std::nullopt;
}

// "true" and "false" without points
Found logicalConstant(const MistakePlace &at) {
  std::string_view word = nameAt(at.code, at.column);
  if (at.error.code != "CUF1101" || (word != "true" && word != "false"))
    return std::nullopt;
  std::string text = "." + std::string(word) + ".";
  return Finding(at, MistakeDiag::ForeignSpelling, at.column, at.column + word.size(),
                 at.raw.substr(at.column, word.size()), text)
      .fix("replace by '" + text + "'")
      .replace(at.column, at.column + word.size(), text);
}

// "y[i]"
Found brackets(const MistakePlace &at) {
  bool coarray =
      isPhrase(at.error.message, Phrase::Coindexed) || isPhrase(at.error.message, Phrase::NoCorank);
  size_t end = endOfName(at.code, at.column);
  size_t open = skipBlanks(at.code, end);
  if (!coarray || open >= at.code.size() || at.code[open] != '[')
    return std::nullopt;
  size_t close = at.code.find(']', open);
  if (close == std::string::npos)
    return std::nullopt;
  return Finding(at, MistakeDiag::ElementBrackets, at.column, end, nameAt(at.raw, at.column))
      .fix("write parentheses")
      .replace(open, open + 1, "(")
      .replace(close, close + 1, ")");
}

bool isMissingFile(std::string_view message) {
  return message.find("was not found") != std::string_view::npos ||
         message.find("is not there") != std::string_view::npos;
}

// "#include <cuda_runtime.h>"
Found header(const MistakePlace &at) {
  std::string_view code = trimmed(at.code);
  size_t mark = at.raw.find('<');
  if (mark == std::string_view::npos)
    mark = at.raw.find('"');
  size_t end = at.raw.find_last_of(">\"");
  if (!isMissingFile(at.error.message) || !code.starts_with("#") ||
      mark == std::string_view::npos || end <= mark)
    return std::nullopt;
  std::string_view name = at.raw.substr(mark + 1, end - mark - 1);
  static constexpr std::string_view standard[] = {"stdio.h",  "stdlib.h", "math.h",
                                                  "assert.h", "string.h", "iostream"};
  bool known = name.starts_with("cuda") || name.starts_with("device_") ||
               name.starts_with("cooperative_groups");
  for (std::string_view one : standard)
    known |= name == one;
  if (!known)
    return std::nullopt;
  return Finding(at, MistakeDiag::HeaderOfC, mark, end + 1, name)
      .fix("remove the line")
      .replace(at.line, 0, at.raw.size(), "");
}

// The end of the statement that begins in a line.
int lastLine(const MistakeText &text, int line) {
  while (line < text.count() && trimmed(text.code(line)).ends_with("&"))
    ++line;
  return line;
}

// What makes a name of a module accessible: a longer ONLY list, or a USE statement behind the first
// line of the unit.
Found addUse(const MistakePlace &at, const ApiName &row) {
  std::string module(row.module), name(row.name), use = "use " + module;
  size_t end = at.column + name.size();
  std::vector<OpenBlock> around = blocksAround(at.text, at.line);
  auto unit = std::find_if(around.begin(), around.end(),
                           [](const OpenBlock &one) { return isUnit(one.block); });
  if (unit == around.end())
    return Finding(at, MistakeDiag::ModuleNotUsed, at.column, end, name, module, use);
  for (int line = unit->line; line < at.line; ++line) {
    std::string_view code = at.text.code(line);
    auto used = findWord(code, module);
    if (!used || nameAt(code, indentationOf(code)) != "use" || code.find("only") < *used)
      continue;
    int last = lastLine(at.text, line);
    std::string_view tail = at.text.code(last);
    size_t place = indentationOf(tail) + trimmed(tail).size();
    return Finding(at, MistakeDiag::ModuleNotUsed, at.column, end, name, module,
                   fmt::format("{}, only: ..., {}", use, name))
        .fix(fmt::format("add '{}' to the names that are used of {}", name, module))
        .replace(last, place, place, ", " + name);
  }
  int head = lastLine(at.text, unit->line), next = head + 1;
  while (next < at.text.count() && trimmed(at.text.raw(next)).empty())
    ++next;
  std::string_view model = at.text.raw(next);
  size_t place = at.text.raw(head).size();
  return Finding(at, MistakeDiag::ModuleNotUsed, at.column, end, name, module, use)
      .fix("add '" + use + "'")
      .replace(head, place, place, "\n" + std::string(model.substr(0, indentationOf(model))) + use);
}

// A grid or block of type REAL in a launch.
Found launchValue(const MistakePlace &at) {
  size_t open = at.code.find("<<<"), close = at.code.find(">>>");
  if (at.error.code != "CUF1252" || open == std::string::npos || close == std::string::npos)
    return std::nullopt;
  size_t begin = skipBlanks(at.code, open + 3), end = begin;
  int wanted = at.error.message.find("the block of") != std::string::npos ? 1 : 0;
  for (int depth = 0; end < close; ++end) {
    char c = at.code[end];
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (c != ',' || depth != 0)
      continue;
    if (wanted-- == 0)
      break;
    begin = skipBlanks(at.code, end + 1);
  }
  std::string text(trimmed(at.raw.substr(begin, end - begin)));
  const ApiName *dim3 = nameAt(at.code, begin) == "dim3" ? findApiName("dim3") : nullptr;
  if (dim3 && !at.text.fixedForm)
    return addUse({at.text, at.error, at.line, begin, at.raw, at.code}, *dim3);
  size_t point = text.find('.');
  bool whole = endOfNumber(text, 0) == text.size() && point != std::string::npos &&
               text.find_first_not_of('0', point + 1) == std::string::npos;
  std::string better = whole ? text.substr(0, point) : "ceiling(" + text + ")";
  return Finding(at)
      .underline(begin, begin + text.size())
      .fix("write '" + better + "'")
      .replace(begin, begin + text.size(), better);
}

// A name of cudafor where nothing uses the module: the first place where it can be used.
Found moduleNotUsed(const MistakePlace &at) {
  bool wanted =
      at.error.code == "CUF1101" || at.error.code == "CUF1106" || at.error.code == "CUF1108";
  size_t column = at.column;
  std::string_view word = nameAt(at.raw, column);
  const ApiName *row = wanted ? findApiName(word) : nullptr;
  static constexpr std::string_view modules[] = {"cudafor", "iso_c_binding", "iso_fortran_env",
                                                 "ieee_arithmetic", "cooperative_groups"};
  bool known = false;
  for (std::string_view module : modules)
    known |= row && row->module == module;
  if (!known || at.text.fixedForm)
    return std::nullopt;
  return addUse(at, *row);
}

} // namespace

const std::vector<MistakeRule> &rulesOfNames() {
  static const std::vector<MistakeRule> rules{
      logicalConstant, brackets, header, moduleNotUsed, literalArgument, launchValue, comparison};
  return rules;
}

} // namespace cufc
