// Heads of procedures and declarations in the order of C: "attributes(global) void k(int *a, int
// n)", "const integer :: n = 4", "device real :: x".
#include "base/mistake_diag.h"
#include "source/mistakes/mistake_text.h"
#include "source/statement_words.h"
#include <algorithm>

namespace cufc {
namespace {

using Found = std::optional<Diagnostic>;

std::string_view typeOfC(std::string_view word) {
  static constexpr std::pair<std::string_view, std::string_view> types[] = {
      {"int", "integer"},       {"float", "real"},       {"double", "real(8)"},
      {"long", "integer(8)"},   {"unsigned", "integer"}, {"bool", "logical"},
      {"size_t", "integer(8)"}, {"char", "character(1)"}};
  for (auto [foreign, fortran] : types)
    if (word == foreign)
      return fortran;
  return {};
}

struct Dummy {
  std::string name, declaration; // empty if C gives no type
};

// "const float *x" declares x(*), "int n" has VALUE.
Dummy dummyOf(std::string_view code, std::string_view raw) {
  std::string_view type;
  Dummy dummy;
  for (size_t at = skipBlanks(code, 0); at < code.size(); at = skipBlanks(code, at)) {
    std::string_view word = nameAt(code, at);
    if (word.empty()) {
      ++at;
      continue;
    }
    if (type.empty())
      type = typeOfC(word);
    dummy.name = std::string(nameAt(raw, at));
    at += word.size();
  }
  bool array = code.find('*') != std::string_view::npos || code.find('[') != std::string_view::npos;
  if (!type.empty())
    dummy.declaration =
        std::string(type) + (array ? " :: " + dummy.name + "(*)" : ", value :: " + dummy.name);
  return dummy;
}

std::vector<Dummy> dummiesOf(std::string_view code, std::string_view raw) {
  std::vector<Dummy> dummies;
  for (size_t begin = 0; begin < code.size();) {
    size_t comma = std::min(code.find(',', begin), code.size());
    if (!trimmed(code.substr(begin, comma - begin)).empty())
      dummies.push_back(
          dummyOf(code.substr(begin, comma - begin), raw.substr(begin, comma - begin)));
    begin = comma + 1;
  }
  return dummies;
}

// What stands before the type: ATTRIBUTES(...) or its spelling in CUDA C, and the place behind it.
std::pair<std::string, size_t> prefixOf(const MistakePlace &at) {
  static constexpr std::pair<std::string_view, std::string_view> words[] = {
      {"__global__", "attributes(global) "}, {"__device__", "attributes(device) "},
      {"__host__", "attributes(host) "},     {"global", "attributes(global) "},
      {"device", "attributes(device) "},     {"kernel", "attributes(global) "}};
  size_t begin = indentationOf(at.code);
  std::string_view word = nameAt(at.code, begin);
  for (auto [foreign, fortran] : words)
    if (word == foreign)
      return {std::string(fortran), skipBlanks(at.code, begin + word.size())};
  size_t open = skipBlanks(at.code, begin + word.size());
  if (word == "attributes" && open < at.code.size() && at.code[open] == '(')
    if (auto close = closing(at.code, open))
      return {std::string(at.raw.substr(begin, *close + 1 - begin)) + " ",
              skipBlanks(at.code, *close + 1)};
  return {"", begin};
}

// "attributes(global) void k(int *a, int n)", "__device__ float f(float x)"
Found procedure(const MistakePlace &at) {
  auto [prefix, begin] = prefixOf(at);
  std::string_view type = nameAt(at.code, begin);
  size_t name = skipBlanks(at.code, begin + type.size());
  size_t open = skipBlanks(at.code, endOfName(at.code, name));
  bool isVoid = type == "void";
  if (!isSyntax(at) || (!isVoid && (typeOfC(type).empty() || prefix.empty())) ||
      nameAt(at.code, name).empty() || open >= at.code.size() || at.code[open] != '(')
    return std::nullopt;
  auto close = closing(at.code, open);
  std::string_view procedureName = nameAt(at.raw, name);
  if (!close || procedureName == "function" || procedureName == "subroutine")
    return std::nullopt;
  std::string head = prefix;
  head += isVoid ? "subroutine " : std::string(typeOfC(type)) + " function ";
  head += std::string(procedureName) + "(";
  std::string margin(at.raw.substr(0, indentationOf(at.code))), declarations;
  auto inner = [&](std::string_view text) { return text.substr(open + 1, *close - open - 1); };
  for (const Dummy &dummy : dummiesOf(inner(at.code), inner(at.raw))) {
    head += (head.ends_with("(") ? "" : ", ") + dummy.name;
    if (!dummy.declaration.empty())
      declarations += "\n" + margin + "  " + dummy.declaration;
  }
  head += ")";
  size_t first = indentationOf(at.code);
  std::string_view opening = nameAt(at.code, first);
  bool foreign = !prefix.empty() && opening != "attributes";
  size_t from = foreign ? first : begin, size = foreign ? opening.size() : type.size();
  std::string better = foreign ? std::string(trimmed(prefix)) : isVoid ? "subroutine" : head;
  return Finding(at, MistakeDiag::ForeignSpelling, from, from + size, at.raw.substr(from, size),
                 better)
      .fix("write it as a procedure of Fortran")
      .replace(first, *close + 1, head + declarations);
}

// "const integer :: n = 4", "constant real :: c(5)", "shared integer :: s(32)"
Found declaration(const MistakePlace &at) {
  size_t begin = indentationOf(at.code);
  std::string_view word = nameAt(at.code, begin);
  bool known = word == "const" || hasRole(word, word_role::Memory | word_role::Data);
  size_t type = skipBlanks(at.code, begin + word.size());
  std::string_view rest = std::string_view(at.code).substr(type);
  if (!isSyntax(at) || !known || type >= at.code.size() || !isDeclaration(rest) ||
      findWord(rest, "subroutine"))
    return std::nullopt;
  size_t end = endOfName(at.code, type);
  if (nameAt(at.code, type) == "double")
    end = endOfName(at.code, skipBlanks(at.code, end));
  if (size_t open = skipBlanks(at.code, end); open < at.code.size() && at.code[open] == '(')
    if (auto close = closing(at.code, open))
      end = *close + 1;
  bool colons = at.code.find("::") != std::string::npos;
  std::string text = std::string(at.raw.substr(type, end - type)) + ", " +
                     (word == "const" ? "parameter" : std::string(word));
  return Finding(at, MistakeDiag::ForeignSpelling, begin, end, at.raw.substr(begin, end - begin),
                 text)
      .fix("write '" + text + "'")
      .replace(begin, end, text + (colons ? "" : " ::"));
}

} // namespace

const std::vector<MistakeRule> &rulesOfHeads() {
  static const std::vector<MistakeRule> rules{procedure, declaration};
  return rules;
}

} // namespace cufc
