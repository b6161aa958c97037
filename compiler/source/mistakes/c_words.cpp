// Words and signs of C within one statement: operators, types, prefixes, comments, addresses.
#include "base/mistake_diag.h"
#include "source/mistakes/mistake_text.h"
#include <algorithm>
#include <fmt/format.h>

namespace cufc {
namespace {

using Found = std::optional<Diagnostic>;

struct Spelling {
  std::string_view ours, fortran;
};

// "// comment", at the beginning of a line or behind a statement.
Found comment(const MistakePlace &at) {
  size_t slashes = at.code.find("//");
  if (slashes == std::string::npos || at.text.fixedForm)
    return std::nullopt;
  bool alone = slashes == indentationOf(at.code);
  if (!alone && at.column < slashes + 2)
    return std::nullopt;
  return Finding(at, MistakeDiag::ForeignSpelling, slashes, slashes + 2, "//", "!")
      .fix("begin the comment by '!'")
      .replace(slashes, slashes + 2, "!");
}

// &&, ||, != and !x, all of the line at once.
Found logicalOperators(const MistakePlace &at) {
  static constexpr Spelling spellings[] = {{"&&", ".and."}, {"||", ".or."}, {"!=", "/="}};
  std::vector<std::pair<size_t, Spelling>> found;
  if (trimmed(at.code).starts_with("!")) // a directive
    return std::nullopt;
  for (const Spelling &spelling : spellings)
    for (size_t place = at.code.find(spelling.ours); place != std::string::npos;
         place = at.code.find(spelling.ours, place + 2))
      found.push_back({place, spelling});
  for (size_t place = at.code.find('!'); place != std::string::npos;
       place = at.code.find('!', place + 1))
    if (place + 1 < at.code.size() && at.code[place + 1] != '=')
      found.push_back({place, {"!", ".not."}});
  if (found.empty())
    return std::nullopt;
  std::sort(found.begin(), found.end(),
            [](const auto &one, const auto &other) { return one.first < other.first; });
  auto [first, spelling] = found.front();
  Finding finding(at, MistakeDiag::ForeignSpelling, first, first + spelling.ours.size(),
                  spelling.ours, spelling.fortran);
  finding.fix("write the operators of Fortran");
  for (const auto &[place, one] : found) {
    size_t end = place + one.ours.size();
    bool before = place > 0 && at.code[place - 1] != ' ' && at.code[place - 1] != '(';
    bool behind = end < at.code.size() && at.code[end] != ' ';
    bool word = one.fortran.starts_with('.');
    finding.replace(place, end,
                    (word && before ? " " : "") + std::string(one.fortran) +
                        (word && behind ? " " : ""));
  }
  return finding;
}

// "a ^ b"
Found power(const MistakePlace &at) {
  size_t place = at.code.find('^');
  if (place == std::string::npos)
    return std::nullopt;
  Finding finding(at, MistakeDiag::ForeignSpelling, place, place + 1, "^", "**");
  finding.fix("replace by '**'");
  for (; place != std::string::npos; place = at.code.find('^', place + 1))
    finding.replace(place, place + 1, "**");
  return finding;
}

// The beginning of the operand that ends before a place: a name, with its parentheses.
size_t beginOfOperand(std::string_view code, size_t end) {
  while (end > 0 && code[end - 1] == ' ')
    --end;
  int depth = 0;
  while (end > 0) {
    char c = code[end - 1];
    depth += c == ')' ? 1 : c == '(' ? -1 : 0;
    if (depth < 0 || (depth == 0 && !isNameCharacter(c) && c != '%' && c != '('))
      break;
    --end;
  }
  return end;
}

// "i % 2": a component cannot begin with a digit.
Found modulo(const MistakePlace &at) {
  for (size_t sign = at.code.find('%'); sign != std::string::npos;
       sign = at.code.find('%', sign + 1)) {
    size_t right = skipBlanks(at.code, sign + 1);
    if (right >= at.code.size() || at.code[right] < '0' || at.code[right] > '9')
      continue;
    size_t end = endOfName(at.code, right), left = beginOfOperand(at.code, sign);
    std::string text = "mod(" + std::string(trimmed(at.raw.substr(left, sign - left))) + ", " +
                       std::string(at.raw.substr(right, end - right)) + ")";
    return Finding(at, MistakeDiag::ForeignSpelling, sign, sign + 1, "%", text)
        .fix("write '" + text + "'")
        .replace(left, end, text);
  }
  return std::nullopt;
}

// "c ? a : b"
Found conditional(const MistakePlace &at) {
  size_t mark = at.code.find('?');
  size_t colon = mark == std::string::npos ? mark : at.code.find(':', mark);
  size_t equals = mark == std::string::npos ? mark : at.code.find('=');
  if (colon == std::string::npos || equals == std::string::npos || equals > mark)
    return std::nullopt;
  auto part = [&](size_t begin, size_t end) {
    return std::string(trimmed(at.raw.substr(begin, end - begin)));
  };
  size_t begin = skipBlanks(at.code, equals + 1),
         end = trimmed(at.code).size() + indentationOf(at.code);
  if (end > 0 && at.code[end - 1] == ';')
    --end;
  std::string text = "merge(" + part(mark + 1, colon) + ", " + part(colon + 1, end) + ", " +
                     part(begin, mark) + ")";
  return Finding(at, MistakeDiag::ForeignSpelling, mark, mark + 1, "?", text)
      .fix("write '" + text + "'")
      .replace(begin, end, text);
}

// "a += b", "i++"
Found assignment(const MistakePlace &at) {
  size_t begin = beginOfAction(at.code);
  size_t end = indentationOf(at.code) + trimmed(at.code).size();
  if (end > begin && at.code[end - 1] == ';')
    --end;
  for (std::string_view sign : {"++", "--"})
    if (at.code.substr(0, end).ends_with(sign)) {
      std::string name(trimmed(at.raw.substr(begin, end - 2 - begin)));
      std::string text = fmt::format("{0} = {0} {1} 1", name, sign[0]);
      return Finding(at, MistakeDiag::ForeignSpelling, end - 2, end, sign, text)
          .fix("write '" + text + "'")
          .replace(begin, end, text);
    }
  for (std::string_view sign : {"+=", "-=", "*=", "/="}) {
    size_t place = at.code.find(sign, begin);
    if (place == std::string::npos || at.code.find('(') > place + 1000 ||
        std::count(at.code.begin() + static_cast<std::ptrdiff_t>(begin),
                   at.code.begin() + static_cast<std::ptrdiff_t>(place),
                   '(') != std::count(at.code.begin() + static_cast<std::ptrdiff_t>(begin),
                                      at.code.begin() + static_cast<std::ptrdiff_t>(place), ')'))
      continue;
    std::string left(trimmed(at.raw.substr(begin, place - begin)));
    std::string right(trimmed(at.raw.substr(place + 2, end - place - 2)));
    bool plain = sign == "+=" || right.find_first_of("+-*/ ") == std::string::npos;
    if (!plain)
      right = fmt::format("({})", right);
    std::string text = fmt::format("{0} = {0} {1} {2}", left, sign[0], right);
    return Finding(at, MistakeDiag::ForeignSpelling, place, place + 2, sign, text)
        .fix("write '" + text + "'")
        .replace(begin, end, text);
  }
  return std::nullopt;
}

// "threadIdx.x"
Found component(const MistakePlace &at) {
  std::vector<size_t> dots;
  for (size_t dot = at.code.find('.'); dot != std::string::npos; dot = at.code.find('.', dot + 1)) {
    if (dot == 0 || !isNameCharacter(at.code[dot - 1]))
      continue;
    size_t end = endOfName(at.code, dot + 1), begin = dot;
    while (begin > 0 && isNameCharacter(at.code[begin - 1]))
      --begin;
    bool names = end > dot + 1 && (at.code[begin] < '0' || at.code[begin] > '9') &&
                 (at.code[dot + 1] < '0' || at.code[dot + 1] > '9');
    bool isOperator =
        (end < at.code.size() && at.code[end] == '.') || (begin > 0 && at.code[begin - 1] == '.');
    if (names && !isOperator)
      dots.push_back(dot);
  }
  if (dots.empty() || at.column + 1 < dots.front())
    return std::nullopt;
  Finding finding(at, MistakeDiag::ForeignSpelling, dots.front(), dots.front() + 1, ".", "%");
  finding.fix("replace by '%'");
  for (size_t dot : dots)
    finding.replace(dot, dot + 1, "%");
  return finding;
}

// "cudaMalloc(&p, n)"
Found address(const MistakePlace &at) {
  for (size_t mark = at.code.find('&'); mark != std::string::npos;
       mark = at.code.find('&', mark + 1)) {
    size_t before = mark;
    while (before > 0 && at.code[before - 1] == ' ')
      --before;
    bool opens = before > 0 && (at.code[before - 1] == '(' || at.code[before - 1] == ',');
    if (!opens || mark + 1 >= at.code.size() || !isNameCharacter(at.code[mark + 1]))
      continue;
    std::string name(nameAt(at.raw, mark + 1));
    return Finding(at, MistakeDiag::ForeignSpelling, mark, mark + 1, "&" + name, name)
        .fix("remove '&'")
        .replace(mark, mark + 1, "");
  }
  return std::nullopt;
}

// "__global__ void k(", "__device__ subroutine", "__shared__ real t(32)", "global subroutine"
Found prefix(const MistakePlace &at) {
  static constexpr Spelling procedures[] = {
      {"__global__", "attributes(global)"}, {"__device__", "attributes(device)"},
      {"__host__", "attributes(host)"},     {"global", "attributes(global)"},
      {"device", "attributes(device)"},     {"kernel", "attributes(global)"}};
  static constexpr Spelling data[] = {{"__shared__", "shared"},
                                      {"__constant__", "constant"},
                                      {"__managed__", "managed"},
                                      {"__device__", "device"}};
  size_t begin = indentationOf(at.code);
  std::string_view word = nameAt(at.code, begin);
  size_t after = skipBlanks(at.code, begin + word.size());
  std::string_view rest = std::string_view(at.code).substr(after);
  for (const Spelling &row : data)
    if (word == row.ours && isDeclaration(rest)) {
      size_t end = after + endOfName(rest, 0);
      size_t open = skipBlanks(at.code, end);
      if (auto close = open < at.code.size() && at.code[open] == '(' && at.code[open + 1] != ')'
                           ? closing(at.code, open)
                           : std::nullopt)
        end = *close + 1;
      std::string type(at.raw.substr(after, end - after));
      bool colons = at.code.find("::") != std::string::npos;
      std::string text = type + ", " + std::string(row.fortran);
      return Finding(at, MistakeDiag::ForeignSpelling, begin, begin + word.size(), word,
                     text + " :: ...")
          .fix("give the variable the attribute " + std::string(row.fortran))
          .replace(begin, end, text + (colons ? "" : " ::"));
    }
  bool procedure = findWord(rest, "subroutine") || findWord(rest, "function");
  bool isVoid = rest.starts_with("void ");
  for (const Spelling &row : procedures)
    if (word == row.ours && (procedure || isVoid))
      return Finding(at, MistakeDiag::ForeignSpelling, begin, begin + word.size(), word,
                     row.fortran)
          .fix("write '" + std::string(row.fortran) + "'")
          .replace(begin, isVoid ? after + 4 : begin + word.size(),
                   std::string(row.fortran) + (isVoid ? " subroutine" : ""));
  return std::nullopt;
}

// "int i", "float :: x", "dim3 grid", "const int n = 4"
Found type(const MistakePlace &at) {
  static constexpr Spelling types[] = {
      {"int", "integer"},     {"float", "real"},          {"double", "double precision"},
      {"dim3", "type(dim3)"}, {"bool", "logical"},        {"boolean", "logical"},
      {"long", "integer(8)"}, {"size_t", "integer(8)"},   {"unsigned", "integer"},
      {"char", "character"},  {"string", "character(80)"}};
  size_t begin = indentationOf(at.code), word = begin;
  bool constant = nameAt(at.code, begin) == "const";
  if (constant)
    word = skipBlanks(at.code, endOfName(at.code, begin));
  std::string_view name = nameAt(at.code, word);
  size_t end = word + name.size(), after = skipBlanks(at.code, end);
  const auto *row = std::find_if(std::begin(types), std::end(types),
                                 [&](const Spelling &one) { return one.ours == name; });
  if (row == std::end(types) || after >= at.code.size() ||
      (!isNameCharacter(at.code[after]) && at.code[after] != ':' && at.code[after] != ','))
    return std::nullopt;
  if (row->ours == "double" && (!isNameCharacter(at.code[after]) ||
                                std::string_view(at.code).substr(after).starts_with("precision")))
    return std::nullopt;
  bool colons = at.code.find("::") != std::string::npos;
  std::string text = std::string(row->fortran) + (constant ? ", parameter" : "");
  return Finding(at, MistakeDiag::ForeignSpelling, begin, end, at.raw.substr(begin, end - begin),
                 text)
      .fix("write '" + text + "'")
      .replace(begin, end, text + (colons ? "" : " ::"));
}

} // namespace

const std::vector<MistakeRule> &rulesOfC() {
  static const std::vector<MistakeRule> rules{prefix,      type,     comment, logicalOperators,
                                              conditional, power,    modulo,  assignment,
                                              address,     component};
  return rules;
}

} // namespace cufc
