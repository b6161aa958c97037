// Constants, lists and names of values in another form than Fortran's: 0.5f, (16, 16, 1), 'can't',
// threadIdx(1), functions without parentheses, items without commas, parentheses without their
// other.
#include "base/mistake_diag.h"
#include "base/source_text.h"
#include "source/api_names.h"
#include "source/mistakes/mistake_text.h"
#include <algorithm>

namespace cufc {
namespace {

using Found = std::optional<Diagnostic>;

bool isDigit(char c) { return c >= '0' && c <= '9'; }

// The number of C that begins at a place, as Fortran has it; empty if it is none or is right.
std::string constantOf(std::string_view code, size_t begin, size_t &end) {
  end = begin;
  if (code.substr(begin).starts_with("0x")) {
    end = endOfName(code, begin);
    std::string digits(code.substr(begin + 2, end - begin - 2));
    bool hex = !digits.empty() && digits.find_first_not_of("0123456789abcdef") == std::string::npos;
    return hex ? "int(z'" + digits + "')" : "";
  }
  while (end < code.size() &&
         (isDigit(code[end]) || code[end] == '.' ||
          (code[end] == 'e' && end + 1 < code.size() &&
           (isDigit(code[end + 1]) || code[end + 1] == '-' || code[end + 1] == '+')) ||
          ((code[end] == '-' || code[end] == '+') && code[end - 1] == 'e')))
    ++end;
  std::string number(code.substr(begin, end - begin));
  std::string_view suffix = nameAt(code, end);
  bool point = number.find_first_of(".e") != std::string::npos;
  end += suffix.size();
  if (suffix == "f")
    return point ? number : number + ".0";
  if (!point && (suffix == "l" || suffix == "ul" || suffix == "ll" || suffix == "ull"))
    return number + "_8";
  return !point && suffix == "u" ? number : "";
}

// "0.5f", "10L", "0xff": all of the line
Found constants(const MistakePlace &at) {
  struct One {
    size_t begin, end;
    std::string text;
  };
  std::vector<One> all;
  for (size_t i = 0; isSyntax(at) && i < at.code.size(); ++i) {
    bool begins = isDigit(at.code[i]) &&
                  (i == 0 || (!isNameCharacter(at.code[i - 1]) && at.code[i - 1] != '.'));
    if (!begins)
      continue;
    size_t end = i;
    if (std::string text = constantOf(at.code, i, end); !text.empty())
      all.push_back({i, end, std::move(text)});
    i = std::max(i, end - (end > i ? 1 : 0));
  }
  if (all.empty() || at.column < all.front().begin)
    return std::nullopt;
  const One &first = all.front();
  Finding finding(at, MistakeDiag::ForeignSpelling, first.begin, first.end,
                  at.raw.substr(first.begin, first.end - first.begin), first.text);
  finding.fix("write '" + first.text + "'");
  for (const One &one : all)
    finding.replace(one.begin, one.end, one.text);
  return finding;
}

// Whether a declaration above gives a name the type dim3.
bool isDim3(const MistakeText &text, int line, std::string_view name) {
  for (; line >= 1 && !name.empty(); --line)
    if (const std::string &code = text.code(line); isDeclaration(code) && findWord(code, name))
      return findWord(code, "dim3").has_value();
  return false;
}

// Whether a comma stands in the parentheses at a place, and not deeper.
bool isList(std::string_view code, size_t open, size_t close) {
  int depth = 0;
  for (size_t i = open; i < close; ++i) {
    depth += code[i] == '(' ? 1 : code[i] == ')' ? -1 : 0;
    if (code[i] == ',' && depth == 1)
      return true;
  }
  return false;
}

// "block = (16, 16, 1)", "call k<<<(4, 4), (16, 16)>>>(x)"
Found list(const MistakePlace &at) {
  bool said = isSyntax(at) || at.error.code == "CUF1204" || at.error.code == "CUF1252";
  size_t begin = indentationOf(at.code), equals = at.code.find('=');
  size_t chevrons = at.code.find("<<<"), behind = at.code.find(">>>");
  std::vector<size_t> lists;
  auto take = [&](size_t open) {
    auto close =
        open < at.code.size() && at.code[open] == '(' ? closing(at.code, open) : std::nullopt;
    if (close && isList(at.code, open, *close))
      lists.push_back(open);
    return close;
  };
  std::string before = "dim3";
  if (!said)
    return std::nullopt;
  if (chevrons != std::string::npos && behind != std::string::npos) {
    for (size_t i = chevrons + 2; i < behind; ++i)
      if (at.code[i] == '<' || at.code[i] == ',')
        if (auto close = take(skipBlanks(at.code, i + 1)))
          i = *close;
  } else if (equals != std::string::npos) {
    size_t open = skipBlanks(at.code, equals + 1);
    bool dim3 = isDim3(at.text, at.line, nameAt(at.code, begin));
    auto close = take(open);
    if (!close || skipBlanks(at.code, *close + 1) < trimmed(at.code).size() + begin || !dim3)
      return std::nullopt;
  }
  if (lists.empty())
    return std::nullopt;
  size_t open = lists.front(), end = closing(at.code, open).value_or(open) + 1;
  std::string text(at.raw.substr(open, end - open));
  Finding finding(at, MistakeDiag::ForeignSpelling, open, end, text, before + text);
  finding.fix("write '" + before + text + "'");
  for (size_t one : lists)
    finding.insert(one, before);
  return finding;
}

// 'can't'
Found apostrophe(const MistakePlace &at) {
  if (!isSyntax(at) || std::count(at.raw.begin(), at.raw.end(), '\'') % 2 == 0 ||
      at.raw.find('"') != std::string_view::npos)
    return std::nullopt;
  auto letter = [&](size_t i) {
    return i < at.raw.size() && std::isalpha(static_cast<unsigned char>(at.raw[i]));
  };
  size_t open = at.raw.find('\'');
  for (size_t i = at.raw.find('\'', open + 1); i != std::string_view::npos;
       i = at.raw.find('\'', i + 1)) {
    if (!letter(i - 1) || !letter(i + 1))
      continue;
    size_t begin = i, end = i + 1;
    while (letter(begin - 1))
      --begin;
    while (letter(end))
      ++end;
    std::string text = std::string(at.raw.substr(begin, i - begin)) + "''" +
                       std::string(at.raw.substr(i + 1, end - i - 1));
    return Finding(at, MistakeDiag::Apostrophe, begin, end, text)
        .fix("write '" + text + "'")
        .insert(i, "'");
  }
  return std::nullopt;
}

// "print *, 'n =' n", "write(*, *) n 'cells'"
Found items(const MistakePlace &at) {
  size_t begin = beginOfAction(at.code);
  std::string_view word = nameAt(at.code, begin);
  if (!isSyntax(at) || (word != "print" && word != "write"))
    return std::nullopt;
  char open = 0;
  auto finding = [&](size_t from, size_t to) {
    size_t end = at.code[to] == '\'' || at.code[to] == '"' ? at.code.find(at.code[to], to + 1) + 1
                                                           : endOfName(at.code, to);
    return Finding(at, MistakeDiag::MissingComma, to, end, at.raw.substr(to, end - to))
        .fix("insert a comma")
        .insert(from, ",");
  };
  for (size_t i = begin + word.size(); i < at.code.size(); ++i) {
    char c = at.code[i];
    if (c != '\'' && c != '"')
      continue;
    if (open) {
      open = 0;
      size_t next = skipBlanks(at.code, i + 1);
      if (next > i + 1 && next < at.code.size() &&
          (isNameCharacter(at.code[next]) || at.code[next] == '\'' || at.code[next] == '"'))
        return finding(i + 1, next);
    } else {
      open = c;
      size_t before = at.code.find_last_not_of(' ', i - 1);
      bool behindItem = before != std::string::npos && before + 1 < i &&
                        before >= begin + word.size() &&
                        (isNameCharacter(at.code[before]) || at.code[before] == ']');
      if (behindItem)
        return finding(before + 1, i);
    }
  }
  return std::nullopt;
}

// "write *, x"
Found writeStar(const MistakePlace &at) {
  size_t begin = beginOfAction(at.code), star = skipBlanks(at.code, begin + 5);
  if (!isSyntax(at) || nameAt(at.code, begin) != "write" || star >= at.code.size() ||
      at.code[star] != '*')
    return std::nullopt;
  size_t comma = skipBlanks(at.code, star + 1);
  size_t end = comma < at.code.size() && at.code[comma] == ',' ? comma + 1 : star + 1;
  return Finding(at, MistakeDiag::ForeignSpelling, begin, end, at.raw.substr(begin, end - begin),
                 "write(*, *)")
      .fix("write 'write(*, *)'")
      .replace(begin, end, "write(*, *)");
}

// "allocate(a(n)", "if (i > n then"
Found parenthesis(const MistakePlace &at) {
  if (!isSyntax(at) || at.error.message.find("Unmatched '('") == std::string::npos)
    return std::nullopt;
  auto missing = std::count(at.code.begin(), at.code.end(), '(') -
                 std::count(at.code.begin(), at.code.end(), ')');
  size_t begin = indentationOf(at.code), end = begin + trimmed(at.code).size();
  std::string_view word = nameAt(at.code, begin);
  bool condition = word == "if" || word == "else" || word == "elseif";
  bool then = std::string_view(at.code).substr(0, end).ends_with(" then");
  if (missing < 1 || std::string_view("&,(+-*").find(at.code[end - 1]) != std::string_view::npos ||
      (condition && !then) || trimmed(at.text.code(at.line - 1)).ends_with("&"))
    return std::nullopt;
  if (condition)
    end = at.code.find_last_not_of(' ', end - 5) + 1;
  std::string text(static_cast<size_t>(missing), ')');
  return Finding(at).fix("insert '" + text + "'").insert(end, text);
}

bool isIndexName(std::string_view word) {
  return word == "threadidx" || word == "blockidx" || word == "blockdim" || word == "griddim";
}

// "threadIdx(1)", "i = threadIdx": all of the line
Found index(const MistakePlace &at) {
  bool called = at.error.code == "CUF1109";
  bool whole = at.error.message.find("TYPE(dim3)") != std::string::npos ||
               at.error.message.find("type(dim3)") != std::string::npos;
  if (!called && !whole)
    return std::nullopt;
  struct One {
    size_t begin, end;
    std::string text;
  };
  std::vector<One> all;
  for (size_t i = 0; i < at.code.size(); ++i) {
    if (!isNameCharacter(at.code[i]) ||
        (i > 0 && (isNameCharacter(at.code[i - 1]) || at.code[i - 1] == '%')))
      continue;
    std::string_view name = nameAt(at.raw, i);
    size_t end = i + name.size(), next = skipBlanks(at.code, end);
    char follows = next < at.code.size() ? at.code[next] : ' ';
    if (!isIndexName(lowerCase(name)) || follows == '%')
      continue;
    char component = 'x';
    if (follows == '(') {
      auto close = closing(at.code, next);
      std::string_view inner =
          close ? trimmed(std::string_view(at.code).substr(next + 1, *close - next - 1)) : "";
      if (!close || inner.size() != 1 || inner[0] < '0' || inner[0] > '3')
        return std::nullopt;
      component = inner[0] == '0' ? 'x' : static_cast<char>('x' + inner[0] - '1');
      end = *close + 1;
    }
    all.push_back({i, end, std::string(name) + "%" + component});
  }
  if (all.empty())
    return std::nullopt;
  const One &first = all.front();
  Finding finding(at, MistakeDiag::ForeignSpelling, first.begin, first.end,
                  at.raw.substr(first.begin, first.end - first.begin), first.text);
  finding.fix("write the component");
  for (const One &one : all)
    finding.replace(one.begin, one.end, one.text);
  return finding;
}

// "cudaGetErrorString(cudaGetLastError)"
Found uncalled(const MistakePlace &at) {
  constexpr std::string_view begin = "Actual argument '",
                             behind = "' associated with dummy argument";
  auto nameIn = [&](std::string_view message) {
    size_t end = message.find(behind);
    bool is = message.starts_with(begin) && end != std::string_view::npos &&
              message.ends_with("is not a variable or typed expression");
    return is ? message.substr(begin.size(), end - begin.size()) : std::string_view();
  };
  std::string_view name = nameIn(at.error.message);
  for (const Diagnostic &note : at.error.related)
    name = name.empty() ? nameIn(note.message) : name;
  auto place = name.empty() ? std::nullopt : findWord(at.code, lowerCase(name));
  const ApiName *row = place ? findApiName(name) : nullptr;
  if (!place || !row || row->kind != "function")
    return std::nullopt;
  size_t end = *place + name.size();
  return Finding(at, MistakeDiag::FunctionWithoutParentheses, *place, end,
                 at.raw.substr(*place, name.size()))
      .fix("insert '()'")
      .insert(end, "()");
}

// "print *, 'n = ' // n"
Found concatenation(const MistakePlace &at) {
  size_t begin = beginOfAction(at.code), place = at.code.find("//");
  std::string_view word = nameAt(at.code, begin);
  if (at.error.code != "CUF1203" || at.error.message.find("//") == std::string::npos ||
      (word != "print" && word != "write") || place == std::string::npos)
    return std::nullopt;
  size_t from = at.code.find_last_not_of(' ', place - 1) + 1;
  return Finding(at)
      .fix("print them one after the other")
      .replace(from, skipBlanks(at.code, place + 2), ", ");
}

// "real, device :: x(:)" outside of the dummies; "integer, shared :: s(:)"
Found extents(const MistakePlace &at) {
  size_t colons = at.code.find("::");
  if (at.error.code != "CUF1219" || colons == std::string::npos || !isDeclaration(at.code) ||
      at.error.message.find("needs its extents, or the ALLOCATABLE") == std::string::npos)
    return std::nullopt;
  if (auto shared = findWord(at.code, "shared"); shared && *shared < colons) {
    size_t open = at.code.find('(', at.column);
    auto close = open == std::string::npos ? std::nullopt : closing(at.code, open);
    if (!close || trimmed(at.code.substr(open + 1, *close - open - 1)) != ":")
      return std::nullopt;
    return Finding(at).fix("take the size from the launch: '(*)'").replace(open + 1, *close, "*");
  }
  size_t end = at.code.find_last_not_of(' ', colons - 1) + 1;
  return Finding(at).fix("give it the attribute ALLOCATABLE").insert(end, ", allocatable");
}

} // namespace

const std::vector<MistakeRule> &rulesOfValues() {
  static const std::vector<MistakeRule> rules{constants,     list,        apostrophe, items,
                                              writeStar,     parenthesis, index,      uncalled,
                                              concatenation, extents};
  return rules;
}

} // namespace cufc
