// Statements as other languages have them, and Fortran's own where a sign or their place is wrong:
// a RETURN with the function's value, BREAK, SWITCH, "do i = 1 to n", conditions without
// parentheses, declarations behind CONTAINS, continued lines of fixed form.
#include "base/mistake_diag.h"
#include "source/blocks.h"
#include "source/mistakes/mistake_text.h"
#include "source/unread_text.h"
#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace cufc {
namespace {

using Found = std::optional<Diagnostic>;

size_t endOfLine(std::string_view code) {
  size_t end = indentationOf(code) + trimmed(code).size();
  while (end > 0 && (code[end - 1] == ';' || code[end - 1] == ' '))
    --end;
  return end;
}

// The name of what the function around a line returns, as it is written; empty elsewhere.
std::string resultAround(const MistakeText &text, int line) {
  std::vector<OpenBlock> open = blocksAround(text, line);
  auto unit = std::find_if(open.rbegin(), open.rend(),
                           [](const OpenBlock &one) { return isUnit(one.block); });
  if (unit == open.rend() || unit->block != Block::Function)
    return {};
  const std::string &head = text.code(unit->line);
  auto result = findWord(head, "result");
  size_t paren = result ? skipBlanks(head, *result + 6) : head.size();
  if (paren >= head.size() || head[paren] != '(')
    return unit->name;
  return std::string(nameAt(text.raw(unit->line), skipBlanks(head, paren + 1)));
}

// "return x", perhaps behind a condition
Found returnValue(const MistakePlace &at) {
  size_t begin = beginOfAction(at.code), value = skipBlanks(at.code, begin + 6);
  size_t end = endOfLine(at.code);
  bool said = isSyntax(at) || at.error.code == "CUF1232" || at.error.code == "CUF1201" ||
              at.error.code == "CUF1213";
  if (!said || nameAt(at.code, begin) != "return" || value >= end || at.code[end - 1] == '&')
    return std::nullopt;
  std::string result = resultAround(at.text, at.line);
  if (result.empty())
    return std::nullopt;
  size_t margin = indentationOf(at.code);
  std::string text = result + " = " + std::string(at.raw.substr(value, end - value));
  std::string indent(at.raw.substr(0, margin));
  Finding finding(at, MistakeDiag::ReturnValue, begin, end, result, text);
  finding.fix("assign the value, and return");
  if (begin == margin)
    return finding.replace(begin, end, text + "\n" + indent + "return");
  return finding.replace(begin, end,
                         "then\n" + indent + "  " + text + "\n" + indent + "  return\n" + indent +
                             "end if");
}

// "break" in a loop, "fi", "done", "od", "esac"
Found word(const MistakePlace &at) {
  static constexpr std::pair<std::string_view, std::string_view> words[] = {{"break", "exit"},
                                                                            {"fi", "end if"},
                                                                            {"done", "end do"},
                                                                            {"od", "end do"},
                                                                            {"esac", "end select"}};
  size_t begin = beginOfAction(at.code), end = endOfLine(at.code);
  for (auto [foreign, fortran] : words)
    if (isSyntax(at) && at.code.substr(begin, end - begin) == foreign)
      return Finding(at, MistakeDiag::ForeignSpelling, begin, end,
                     at.raw.substr(begin, end - begin), fortran)
          .fix(fmt::format("replace by '{}'", fortran))
          .replace(begin, end, std::string(fortran));
  return std::nullopt;
}

bool endsSwitch(std::string_view code) {
  return code == "end switch" || code == "endswitch" || code == "end select" ||
         code == "endselect" || code == "}";
}

// One line of a SWITCH: "case 1:" becomes "case (1)".
void mendCase(Finding &finding, const MistakeText &text, int line) {
  const std::string &code = text.code(line);
  size_t begin = indentationOf(code), colon = code.rfind(':');
  std::string_view first = nameAt(code, begin);
  if (first == "default" && colon != std::string::npos) {
    finding.replace(line, begin, colon + 1, "case default");
  } else if (first == "case" && colon != std::string::npos) {
    size_t value = skipBlanks(code, begin + 4);
    std::string inner(trimmed(text.raw(line).substr(value, colon - value)));
    bool parentheses = inner.starts_with("(") && inner.ends_with(")");
    finding.replace(line, begin, colon + 1, "case " + (parentheses ? inner : "(" + inner + ")"));
  } else if (endsSwitch(trimmed(code))) {
    finding.replace(line, begin, begin + trimmed(code).size(), "end select");
  }
}

// "switch (k)" with "case 1:"; an error in one of its lines is this one.
Found switchStatement(const MistakePlace &at) {
  if (!isSyntax(at))
    return std::nullopt;
  int line = at.line;
  auto opens = [&] {
    const std::string &code = at.text.code(line);
    return nameAt(code, indentationOf(code)) == "switch";
  };
  std::string_view here = nameAt(at.code, indentationOf(at.code));
  bool inside = here == "case" || here == "default" || endsSwitch(trimmed(at.code));
  while (inside && line > 1 && !opens())
    --line;
  const std::string &code = at.text.code(line);
  size_t begin = indentationOf(code);
  if (!opens() || skipBlanks(code, begin + 6) >= code.size() ||
      code[skipBlanks(code, begin + 6)] != '(')
    return std::nullopt;
  MistakePlace place{at.text, at.error, line, begin, at.text.raw(line), code};
  Finding finding(place, MistakeDiag::ForeignSpelling, begin, begin + 6, place.raw.substr(begin, 6),
                  "select case");
  finding.fix("write it as SELECT CASE").replace(begin, begin + 6, "select case");
  if (size_t brace = code.rfind('{'); brace != std::string::npos)
    finding.replace(brace, brace + 1, "");
  for (int next = line + 1; next <= at.text.count(); ++next) {
    mendCase(finding, at.text, next);
    if (endsSwitch(trimmed(at.text.code(next))))
      return finding;
  }
  return std::nullopt;
}

// "do i = 1 to n", "do i = 1:n"
Found loopRange(const MistakePlace &at) {
  size_t begin = indentationOf(at.code), equals = at.code.find('=');
  if (!isSyntax(at) || nameAt(at.code, begin) != "do" || equals == std::string::npos)
    return std::nullopt;
  auto to = findWord(at.code, "to", equals);
  size_t colon = at.code.find(':', equals);
  if (!to && (colon == std::string::npos || at.code.find('(', equals) < colon))
    return std::nullopt;
  size_t first = to ? at.code.find_last_not_of(' ', *to - 1) + 1 : colon;
  size_t last = to ? *to + 2 : colon + 1;
  std::string text = std::string(trimmed(at.raw.substr(begin, first - begin))) + ", " +
                     std::string(trimmed(at.raw.substr(last)));
  return Finding(at, MistakeDiag::ForeignSpelling, to ? *to : colon, last, to ? "to" : ":", ",")
      .fix("write '" + text + "'")
      .replace(first, skipBlanks(at.code, last), ", ");
}

// "if i <= n then", "else (i > n) then"
Found condition(const MistakePlace &at) {
  if (!isSyntax(at))
    return std::nullopt;
  size_t begin = indentationOf(at.code), end = endOfLine(at.code), from = begin;
  std::string_view first = nameAt(at.code, begin), statement = "IF";
  bool then = std::string_view(at.code).substr(0, end).ends_with("then");
  if (first == "else" || first == "elseif") {
    statement = "ELSE IF";
    from = first == "else" ? skipBlanks(at.code, begin + 4) : begin;
    if (then && first == "else" && from < end && at.code[from] == '(') {
      std::string text = "else if " + std::string(at.raw.substr(from, end - from));
      return Finding(at, MistakeDiag::ForeignSpelling, begin, end,
                     at.raw.substr(begin, end - begin), text)
          .fix("insert IF")
          .insert(from, "if ");
    }
  }
  std::string_view keyword = nameAt(at.code, from);
  size_t open = skipBlanks(at.code, from + keyword.size());
  bool is = keyword == "if" || keyword == "elseif";
  if (!is || !then || open + 4 >= end || at.code[open] == '(')
    return std::nullopt;
  std::string inner(trimmed(at.raw.substr(open, end - 4 - open)));
  size_t last = open + inner.size();
  return Finding(at, MistakeDiag::ConditionParentheses, open, last, statement, inner)
      .fix("insert parentheses")
      .insert(open, "(")
      .insert(last, ")");
}

// Declarations between CONTAINS and the first procedure: they go before it.
Found behindContains(const MistakePlace &at) {
  if (!isSyntax(at) || !isDeclaration(at.code))
    return std::nullopt;
  int contains = at.line - 1;
  auto skipped = [&](int line) {
    std::string_view code = trimmed(at.text.code(line));
    return code.empty() || isDeclaration(code);
  };
  while (contains > 0 && skipped(contains))
    --contains;
  if (contains == 0 || trimmed(at.text.code(contains)) != "contains")
    return std::nullopt;
  int last = at.line;
  for (int line = at.line; line <= at.text.count() && skipped(line); ++line)
    last = trimmed(at.text.code(line)).empty() ? last : line;
  std::string moved;
  for (int line = contains + 1; line <= last; ++line)
    moved += std::string(at.text.raw(line)) + "\n";
  size_t begin = indentationOf(at.code);
  Finding finding(at, MistakeDiag::DeclarationBehindContains, begin, endOfLine(at.code), contains);
  if (moved.find('&') != std::string::npos)
    return finding;
  SourceRange rest{at.text.file, contains + 1, 1, last + 1, 1};
  return finding.fix("move the declarations before CONTAINS")
      .replace(contains, 0, 0, moved)
      .edit({rest, ""});
}

// "allocate(x(n), align=64)", an option of nvfortran
Found aligned(const MistakePlace &at) {
  auto word = isSyntax(at) ? findWord(at.code, "align") : std::nullopt;
  size_t head = beginOfAction(at.code);
  if (!word || nameAt(at.code, head) != "allocate")
    return std::nullopt;
  size_t sign = skipBlanks(at.code, *word + 5), end = sign;
  if (sign >= at.code.size() || at.code[sign] != '=')
    return std::nullopt;
  for (int depth = 0; end < at.code.size() && (depth > 0 || !strchr(",)", at.code[end])); ++end)
    depth += (at.code[end] == '(') - (at.code[end] == ')');
  Finding finding(at, MistakeDiag::AllocationAlign, *word, end);
  size_t comma = at.code.substr(0, *word).find_last_not_of(' ');
  if (comma != std::string_view::npos && at.code[comma] == ',')
    finding.fix("leave it out").replace(comma, end, "");
  return finding;
}

// "a = b + &" in fixed form
Found ampersand(const MistakePlace &at) {
  if (!isSyntax(at) || !at.text.fixedForm)
    return std::nullopt;
  for (int line : {at.line, at.line - 1}) {
    std::string_view code = at.text.code(line);
    if (!trimmed(code).ends_with("&"))
      continue;
    size_t mark = code.rfind('&');
    MistakePlace place{at.text, at.error, line, mark, at.text.raw(line), at.text.code(line)};
    Finding finding(place, MistakeDiag::AmpersandInFixedForm, mark, mark + 1);
    std::string_view next = at.text.raw(line + 1);
    if (next.size() > 6 && indentationOf(next) >= 6)
      finding.fix("mark the next line in column 6")
          .replace(code.find_last_not_of(" &") + 1, mark + 1, "")
          .replace(line + 1, 5, 6, "&");
    return finding;
  }
  return std::nullopt;
}

// A line of fixed form that goes on behind its last column
Found cutLine(const MistakePlace &at) {
  if (!isSyntax(at) || !at.text.fixedForm)
    return std::nullopt;
  const size_t columns = static_cast<size_t>(at.text.fixedColumns);
  for (int line : {at.line, at.line - 1}) {
    const std::string &code = at.text.code(line);
    std::string_view read = std::string_view(code).substr(0, columns);
    std::string_view behind = std::string_view(code).substr(read.size());
    bool goesOn = !trimmed(read).empty() && strchr("+-*/=(,%", trimmed(read).back());
    if (trimmed(behind).empty() ||
        (!goesOn && unreadText(code, true, at.text.fixedColumns).empty()))
      continue;
    size_t begin = columns + indentationOf(behind);
    size_t end = columns + behind.find_last_not_of(" \t\r") + 1;
    MistakePlace place{at.text, at.error, line, begin, at.text.raw(line), code};
    return Finding(place, MistakeDiag::CutStatement, begin, end, at.text.fixedColumns,
                   std::string(trimmed(at.text.raw(line).substr(begin, end - begin))));
  }
  return std::nullopt;
}

} // namespace

const std::vector<MistakeRule> &rulesOfStatements() {
  static const std::vector<MistakeRule> rules{returnValue, word,      switchStatement,
                                              loopRange,   condition, behindContains,
                                              aligned,     ampersand, cutLine};
  return rules;
}

} // namespace cufc
