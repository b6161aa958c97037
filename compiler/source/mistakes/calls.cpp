// Calls: CALL is missing, the result of a function is not used, a launch or PRINT is written in
// another way.
#include "base/mistake_diag.h"
#include "base/source_text.h"
#include "source/api_names.h"
#include "source/blocks.h"
#include "source/mistakes/mistake_text.h"
#include "source/statement_words.h"
#include <algorithm>
#include <fmt/format.h>

namespace cufc {
namespace {

using Found = std::optional<Diagnostic>;

// What a name is, as far as the text and the compiler's own names tell.
enum class Called { Unknown, Function, Subroutine };

Called kindOf(const MistakeText &text, std::string_view name) {
  std::string wanted = lowerCase(name);
  for (int line = 1; line <= text.count(); ++line)
    if (auto at = findWord(text.code(line), wanted)) {
      std::string_view before = trimmed(std::string_view(text.code(line)).substr(0, *at));
      if (before.starts_with("end"))
        continue;
      if (before.ends_with("subroutine"))
        return Called::Subroutine;
      if (before.ends_with("function"))
        return Called::Function;
    }
  const ApiName *row = findApiName(name);
  return !row || row->kind.empty() ? Called::Unknown
         : row->kind == "function" ? Called::Function
                                   : Called::Subroutine;
}

// An integer variable that takes a status, of those that are declared above in the same unit.
std::string statusVariable(const MistakeText &text, int line) {
  for (; line >= 1; --line) {
    const std::string &code = text.code(line);
    StatementRole role = roleOf(code, false);
    if (role.kind == StatementRole::Opens && isUnit(role.block))
      break;
    if (!isDeclaration(code) || nameAt(code, indentationOf(code)) != "integer" ||
        code.find("value") != std::string::npos || code.find("parameter") != std::string::npos)
      continue;
    for (std::string_view name :
         {"istat", "ierr", "stat", "status", "ierror", "err", "istatus", "ierrsync", "rc"})
      if (auto at = findWord(code, name)) {
        size_t next = skipBlanks(code, *at + name.size());
        if (next >= code.size() || code[next] == ',')
          return std::string(text.raw(line).substr(*at, name.size()));
      }
  }
  return {};
}

// "f(x)" of a function becomes a statement that uses what it returns.
Found useResult(const MistakePlace &at, size_t begin, size_t end, size_t from) {
  std::string call(trimmed(at.raw.substr(begin, end - begin)));
  if (call.find('(') == std::string::npos)
    call += "()";
  std::string name(nameAt(at.raw, begin)), variable = statusVariable(at.text, at.line);
  const ApiName *row = findApiName(name);
  if (row)
    name = row->name;
  bool status = row && row->module == "cudafor";
  std::string text = !variable.empty() ? variable + " = " + call
                     : status ? "if (" + call + " /= cudaSuccess) error stop '" + name + "'"
                              : "old = " + call;
  Finding finding =
      from == begin ? Finding(at, MistakeDiag::ResultUnused, begin, begin + name.size(), name, text)
                    : Finding(at); // it is said of the CALL already
  if (!variable.empty() || status)
    finding.fix("write '" + text + "'").replace(from, end, text);
  return finding;
}

size_t endOfCode(const MistakePlace &at) {
  size_t end = indentationOf(at.code) + trimmed(at.code).size();
  while (end > 0 && (at.code[end - 1] == ';' || at.code[end - 1] == ' '))
    --end;
  return end;
}

// "k<<<1, 10>>>(a)"
Found launchWithoutCall(const MistakePlace &at) {
  if (!isSyntax(at))
    return std::nullopt;
  size_t begin = indentationOf(at.code), end = endOfName(at.code, begin);
  size_t chevrons = skipBlanks(at.code, end);
  if (end == begin || hasRole(nameAt(at.code, begin), word_role::Meant) ||
      chevrons >= at.code.size() || at.code.compare(chevrons, 3, "<<<") != 0)
    return std::nullopt;
  return Finding(at, MistakeDiag::MissingCall, begin, end,
                 std::string(nameAt(at.raw, begin)) + "<<<...>>>")
      .fix("insert CALL")
      .insert(begin, "call ");
}

const std::vector<std::string_view> &statementsWithParentheses() {
  static const std::vector<std::string_view> words{"allocate", "deallocate", "nullify", "inquire",
                                                   "rewind",   "backspace",  "write",   "close"};
  return words;
}

// "z = k<<<1, 32>>>(x)"
Found launchForValue(const MistakePlace &at) {
  size_t chevrons = at.code.find("<<<"), equals = at.code.find('=');
  if (!isSyntax(at) || chevrons == std::string::npos || equals > chevrons ||
      trimmed(at.code).starts_with("!"))
    return std::nullopt;
  size_t name = skipBlanks(at.code, equals + 1), end = endOfName(at.code, name);
  if (end == name || skipBlanks(at.code, end) != chevrons)
    return std::nullopt;
  return Finding(at, MistakeDiag::LaunchForValue, name, endOfCode(at), nameAt(at.raw, name));
}

// "syncthreads()", "syncthreads", "cudaDeviceSynchronize()"
Found withoutCall(const MistakePlace &at) {
  if (!isSyntax(at))
    return std::nullopt;
  size_t begin = indentationOf(at.code), end = endOfName(at.code, begin);
  std::string_view name = nameAt(at.code, begin);
  size_t open = skipBlanks(at.code, end), last = endOfCode(at);
  if (name.empty() || hasRole(name, word_role::Meant) || (name[0] >= '0' && name[0] <= '9'))
    return std::nullopt;
  bool arguments = open < at.code.size() && at.code[open] == '(';
  auto close = arguments ? closing(at.code, open) : std::nullopt;
  if (arguments ? !close || *close + 1 != last : end != last)
    return std::nullopt;
  Called kind = kindOf(at.text, name);
  if (kind == Called::Function)
    return useResult(at, begin, last, begin);
  if (kind == Called::Unknown && !arguments)
    return std::nullopt;
  if (std::string_view meant = nearestWord(name, statementsWithParentheses());
      kind == Called::Unknown && !meant.empty())
    return Finding(at, MistakeDiag::UnknownAttribute, begin, end, nameAt(at.raw, begin),
                   "statement", meant)
        .fix(fmt::format("replace by '{}'", meant))
        .replace(begin, end, std::string(meant));
  return Finding(at, MistakeDiag::MissingCall, begin, end, nameAt(at.raw, begin))
      .fix("insert CALL")
      .insert(begin, "call ");
}

// "call f(x)" of a function
Found callOfFunction(const MistakePlace &at) {
  if ((at.error.code != "CUF1109" && at.error.code != "CUF0295") ||
      at.code.find("<<<") != std::string::npos)
    return std::nullopt;
  size_t word = indentationOf(at.code);
  size_t begin = skipBlanks(at.code, word + 4);
  if (nameAt(at.code, word) != "call" || trimmed(at.code).ends_with("&"))
    return std::nullopt;
  return useResult(at, begin, endOfCode(at), word);
}

// "<<<grid, block, stream=s>>>", as the directive of a CUF kernel has it: a launch has the stream
// as its fourth value. `begin` and `end` are around the values.
Found streamKeyword(const MistakePlace &at, size_t begin, size_t end, std::string_view callee) {
  int depth = 0, commas = 0;
  for (size_t i = begin; i < end; ++i) {
    depth += at.code[i] == '(' ? 1 : at.code[i] == ')' ? -1 : 0;
    if (at.code[i] != ',' || depth != 0)
      continue;
    ++commas;
    size_t word = skipBlanks(at.code, i + 1), equals = skipBlanks(at.code, word + 6);
    if (nameAt(at.code, word) != "stream" || equals >= end || at.code[equals] != '=' ||
        at.code[equals + 1] == '=' || commas < 2 || commas > 3)
      continue;
    return Finding(at, MistakeDiag::NoLaunch, word, equals + 1, callee)
        .fix("write the stream as the fourth value")
        .replace(word, skipBlanks(at.code, equals + 1), commas == 2 ? "0, " : "");
  }
  return std::nullopt;
}

// Launches with a wrong number of values or signs.
Found launch(const MistakePlace &at) {
  if (!isSyntax(at))
    return std::nullopt;
  size_t word = indentationOf(at.code);
  size_t begin = skipBlanks(at.code, word + 4), end = endOfName(at.code, begin);
  size_t signs = skipBlanks(at.code, end);
  if (nameAt(at.code, word) != "call" || signs + 1 >= at.code.size() || at.code[signs] != '<' ||
      at.code[signs + 1] != '<')
    return std::nullopt;
  size_t count = at.code.find_first_not_of('<', signs) - signs;
  size_t closers = at.code.find(">>", signs + count);
  if (closers == std::string::npos)
    return Finding(at, MistakeDiag::NoLaunch, signs, signs + count, nameAt(at.raw, begin));
  size_t after = std::min(at.code.find_first_not_of('>', closers), at.code.size());
  if (auto found = streamKeyword(at, signs + count, closers, nameAt(at.raw, begin)))
    return found;
  std::string_view values =
      std::string_view(at.code).substr(signs + count, closers - signs - count);
  int depth = 0;
  auto commas = std::count_if(values.begin(), values.end(), [&](char c) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    return c == ',' && depth == 0;
  });
  Finding finding(at, MistakeDiag::NoLaunch, signs, after, nameAt(at.raw, begin));
  size_t open = skipBlanks(at.code, after), last = endOfCode(at);
  bool parentheses = open < at.code.size() && at.code[open] == '(';
  bool wrongSigns = count != 3 || after - closers != 3;
  if (commas < 1 || commas > 3 || (!wrongSigns && parentheses) || at.code.ends_with("&"))
    return commas < 1 || commas > 3 ? Found(finding) : std::nullopt;
  finding.fix("write it as a launch");
  if (count != 3)
    finding.replace(signs, signs + count, "<<<");
  if (after - closers != 3)
    finding.replace(closers, after, ">>>");
  if (!parentheses)
    finding.replace(after, open, "(").insert(std::max(open, last), ")");
  return finding;
}

// printf("...", x), print("..."), print 'text', print * 'text'
Found print(const MistakePlace &at) {
  if (!isSyntax(at) && at.error.code != "CUF1017" && at.error.code != "CUF1101")
    return std::nullopt;
  size_t begin = indentationOf(at.code), end = endOfName(at.code, begin);
  std::string_view word = nameAt(at.code, begin);
  if (word != "print" && word != "printf" && word != "puts" && word != "println")
    return std::nullopt;
  size_t next = skipBlanks(at.code, end), last = endOfCode(at);
  if (next >= last)
    return std::nullopt;
  std::string rest(at.raw.substr(next, last - next));
  if (word == "print" && at.code[next] == '*') {
    size_t item = skipBlanks(at.code, next + 1);
    if (item >= last || at.code[item] == ',')
      return std::nullopt;
    std::string_view text = at.raw.substr(item, last - item);
    if (text.size() > 2 && (text[0] == '\'' || text[0] == '"'))
      text = text.substr(1, text.size() - 2);
    return Finding(at, MistakeDiag::MissingComma, item, last, text)
        .fix("insert a comma")
        .insert(next + 1, ",");
  }
  bool quoted = at.code[next] == '\'' || at.code[next] == '"';
  if (at.code[next] == '(') {
    auto close = closing(at.code, next);
    if (!close || *close + 1 != last)
      return std::nullopt;
    rest = std::string(trimmed(at.raw.substr(next + 1, *close - next - 1)));
    quoted = true;
  }
  if (!quoted || (word == "print" && rest.size() > 1 && rest[1] == '(' && rest.ends_with("'")))
    return std::nullopt;
  for (size_t escape = rest.find("\\n"); escape != std::string::npos; escape = rest.find("\\n"))
    rest.erase(escape, 2);
  if (size_t percent = rest.find('%'); word == "printf" && percent != std::string::npos) {
    size_t comma = rest.find(',', rest.find(rest[0], 1));
    if (comma == std::string::npos)
      return std::nullopt;
    rest = std::string(trimmed(std::string_view(rest).substr(comma + 1)));
  }
  return Finding(at, MistakeDiag::PrintFormat, begin, end, rest)
      .fix("write 'print *, ...'")
      .replace(begin, last, "print *, " + rest);
}

} // namespace

const std::vector<MistakeRule> &rulesOfCalls() {
  static const std::vector<MistakeRule> rules{print,       launchWithoutCall, launch,
                                              withoutCall, callOfFunction,    launchForValue};
  return rules;
}

} // namespace cufc
