// Blocks of C: braces, FOR, WHILE. A fix changes both ends of the block.
#include "base/mistake_diag.h"
#include "base/source_text.h"
#include "source/mistakes/mistake_text.h"
#include <algorithm>

namespace cufc {
namespace {

using Found = std::optional<Diagnostic>;

// The lines with the braces that go on and close the block whose brace opens in a line.
struct Braces {
  int close = 0;
  std::vector<int> branches; // "} else {"
};

std::optional<Braces> bracesFrom(const MistakeText &text, int line) {
  Braces result;
  int depth = 1;
  for (int at = line + 1; at <= text.count(); ++at) {
    std::string_view code = trimmed(text.code(at));
    if (code.starts_with("}")) {
      bool goesOn = code.ends_with("{");
      if (depth == 1 && goesOn)
        result.branches.push_back(at);
      depth -= goesOn ? 0 : 1;
    } else if (code.ends_with("{")) {
      ++depth;
    }
    if (depth == 0) {
      result.close = at;
      return result;
    }
  }
  return std::nullopt;
}

// Puts words in place of the braces behind the first one.
void replaceBraces(Finding &finding, const MistakePlace &at, const Braces &braces,
                   const std::string &ending) {
  for (int line : braces.branches) {
    std::string_view code = at.text.code(line), raw = at.text.raw(line);
    size_t open = code.find('}'), close = code.rfind('{');
    size_t word = skipBlanks(code, open + 1);
    bool condition = code.find("if", word) < close;
    finding.replace(line, open, word, "");
    std::string end = condition ? "then" : "";
    finding.replace(line, condition ? close : raw.substr(0, close).find_last_not_of(" \t") + 1,
                    close + 1, end);
  }
  size_t brace = at.text.code(braces.close).find('}');
  finding.replace(braces.close, brace, brace + 1, ending);
}

// "if (c) {" to "if (c) then"
Found ifBrace(const MistakePlace &at) {
  size_t brace = at.code.rfind('{');
  std::string_view word = nameAt(at.code, indentationOf(at.code));
  if (brace == std::string::npos || (word != "if" && word != "else"))
    return std::nullopt;
  Finding finding(at, MistakeDiag::ForeignSpelling, brace, brace + 1, "{", "then");
  if (auto braces = bracesFrom(at.text, at.line)) {
    finding.fix("write THEN and END IF").replace(brace, brace + 1, "then");
    replaceBraces(finding, at, *braces, "end if");
  }
  return finding;
}

struct Loop {
  std::string variable, first, last;
  bool declares = false;
};

// "for (int i = a; i < b; i++)": its parts as written.
std::optional<Loop> loopOf(std::string_view code, std::string_view raw, size_t open, size_t close) {
  size_t one = code.find(';', open), two = one == std::string::npos ? one : code.find(';', one + 1);
  if (two == std::string::npos || two > close)
    return std::nullopt;
  Loop loop;
  size_t begin = skipBlanks(code, open + 1);
  if (std::string_view word = nameAt(code, begin); word == "int" || word == "integer") {
    loop.declares = true;
    begin = skipBlanks(code, begin + word.size());
  }
  size_t equals = code.find('=', begin);
  size_t sign = code.find('<', one);
  if (equals == std::string::npos || equals > one || sign == std::string::npos || sign > two)
    return std::nullopt;
  bool including = sign + 1 < code.size() && code[sign + 1] == '=';
  auto part = [&](size_t from, size_t to) {
    return std::string(trimmed(raw.substr(from, to - from)));
  };
  loop.variable = part(begin, equals);
  loop.first = part(equals + 1, one);
  loop.last = part(sign + (including ? 2 : 1), two) + (including ? "" : " - 1");
  return code.substr(two, close - two).find("++") == std::string::npos ? std::nullopt
                                                                       : std::optional(loop);
}

// The line in which a loop's body ends by words of other languages: "end for", "end while".
int foreignEnd(const MistakeText &text, int line) {
  for (int at = line + 1; at <= text.count(); ++at) {
    std::string_view code = trimmed(text.code(at));
    if (code == "end for" || code == "endfor" || code == "end while" || code == "endwhile")
      return at;
    if (code.starts_with("end sub") || code.starts_with("end fun") || code.starts_with("end prog"))
      break;
  }
  return 0;
}

// Gives a loop with this head its END DO; false if it is not known where.
bool closeLoop(Finding &finding, const MistakePlace &at, size_t close) {
  size_t brace = at.code.find('{', close);
  if (brace != std::string::npos) {
    auto braces = bracesFrom(at.text, at.line);
    if (!braces)
      return false;
    finding.replace(brace, brace + 1, "");
    replaceBraces(finding, at, *braces, "end do");
    return true;
  }
  if (int end = foreignEnd(at.text, at.line)) {
    size_t begin = indentationOf(at.text.code(end));
    finding.replace(end, begin, begin + trimmed(at.text.code(end)).size(), "end do");
    return true;
  }
  std::string_view next = at.text.raw(at.line + 1);
  if (trimmed(next).empty() || trimmed(at.text.code(at.line + 1)).ends_with("&"))
    return false;
  finding.replace(at.line + 1, next.size(), next.size(),
                  "\n" + std::string(at.raw.substr(0, indentationOf(at.raw))) + "end do");
  return true;
}

// "for (int i": the declaration goes to the others, unless there is one.
void declare(Finding &finding, const MistakeText &text, int before, const std::string &name) {
  int last = lastDeclaration(text, before);
  std::string wanted = lowerCase(name);
  for (int line = last; line > 0; --line) {
    if (isDeclaration(text.code(line)) && findWord(text.code(line), wanted))
      return;
    StatementRole role = roleOf(text.code(line), false);
    if (role.kind == StatementRole::Opens && isUnit(role.block))
      break;
  }
  if (last == 0)
    return;
  std::string_view model = text.raw(last);
  size_t margin = indentationOf(model) + (isDeclaration(text.code(last)) ? 0 : 2);
  finding.replace(last, model.size(), model.size(),
                  "\n" + std::string(margin, ' ') + "integer :: " + name);
}

// "for (i = 0; i < n; i++)" to "do i = 0, n - 1"
Found forLoop(const MistakePlace &at) {
  size_t begin = indentationOf(at.code);
  size_t open = skipBlanks(at.code, begin + 3);
  if (nameAt(at.code, begin) != "for" || open >= at.code.size() || at.code[open] != '(')
    return std::nullopt;
  auto close = closing(at.code, open);
  auto loop = close ? loopOf(at.code, at.raw, open, *close) : std::nullopt;
  std::string head = loop ? "do " + loop->variable + " = " + loop->first + ", " + loop->last
                          : "do i = first, last";
  Finding finding(at, MistakeDiag::ForeignSpelling, begin, begin + 3, "for", head);
  if (!loop)
    return finding;
  finding.fix("write a DO loop").replace(begin, *close + 1, head);
  if (!closeLoop(finding, at, *close))
    return Finding(at, MistakeDiag::ForeignSpelling, begin, begin + 3, "for", head);
  if (loop->declares)
    declare(finding, at.text, at.line, loop->variable);
  return finding;
}

// "while (c)" to "do while (c)"
Found whileLoop(const MistakePlace &at) {
  size_t begin = indentationOf(at.code);
  size_t open = skipBlanks(at.code, begin + 5);
  if (nameAt(at.code, begin) != "while" || open >= at.code.size() || at.code[open] != '(')
    return std::nullopt;
  auto close = closing(at.code, open);
  Finding finding(at, MistakeDiag::ForeignSpelling, begin, begin + 5, "while", "do while");
  if (!close)
    return finding;
  finding.fix("write a DO WHILE loop").replace(begin, begin + 5, "do while");
  bool ends = at.code.find('{', *close) != std::string::npos || foreignEnd(at.text, at.line) != 0;
  if (ends)
    closeLoop(finding, at, *close);
  return finding;
}

// "do i = 1, n {"
Found doBrace(const MistakePlace &at) {
  size_t brace = at.code.rfind('{');
  if (brace == std::string::npos || nameAt(at.code, indentationOf(at.code)) != "do")
    return std::nullopt;
  Finding finding(at, MistakeDiag::ForeignSpelling, brace, brace + 1, "{", "end do");
  finding.fix("end the loop by END DO");
  if (!closeLoop(finding, at, indentationOf(at.code)))
    return std::nullopt;
  return finding;
}

// The line with the brace that the one at the beginning of a line closes, or with the head of "end
// for"; 0 if none.
int headOf(const MistakeText &text, int line) {
  bool ofBrace = trimmed(text.code(line)).starts_with("}");
  int depth = 0;
  for (int at = line - 1; at >= 1; --at) {
    std::string_view code = trimmed(text.code(at));
    std::string_view word = nameAt(code, 0);
    if (!ofBrace && (word == "for" || word == "while"))
      return at;
    if (ofBrace && code.ends_with("{") && depth-- == 0)
      return at;
    if (ofBrace && code.starts_with("}"))
      ++depth;
  }
  return 0;
}

// The end of a block of C is part of the mistake that its head is.
Found endOfForeignBlock(const MistakePlace &at) {
  std::string_view code = trimmed(at.code);
  bool words = code == "end for" || code == "endfor" || code == "end while" || code == "endwhile";
  int line = words || code.starts_with("}") ? headOf(at.text, at.line) : 0;
  if (line == 0)
    return std::nullopt;
  MistakePlace head{at.text,           at.error,          line, indentationOf(at.text.code(line)),
                    at.text.raw(line), at.text.code(line)};
  for (MistakeRule rule : {ifBrace, forLoop, whileLoop, doBrace})
    if (auto found = rule(head))
      return found;
  return std::nullopt;
}

// A brace that is none of the above.
Found brace(const MistakePlace &at) {
  std::string_view code = trimmed(at.code);
  size_t place = indentationOf(at.code);
  if (code.starts_with("}"))
    return Finding(at, MistakeDiag::ForeignSpelling, place, place + 1, "}", "end");
  if (code.starts_with("{"))
    return Finding(at, MistakeDiag::ForeignSpelling, place, place + 1, "{", "block");
  return std::nullopt;
}

// "elif (c) then", "elsif"
Found elif (const MistakePlace &at) {
  size_t begin = indentationOf(at.code);
  std::string_view word = nameAt(at.code, begin);
  if (word != "elif" && word != "elsif")
    return std::nullopt;
  return Finding(at, MistakeDiag::ForeignSpelling, begin, begin + word.size(), word, "else if")
      .fix("replace by 'else if'")
      .replace(begin, begin + word.size(), "else if");
}

} // namespace

const std::vector<MistakeRule> &rulesOfBlocks() {
  static const std::vector<MistakeRule> rules{ifBrace,           forLoop, whileLoop, doBrace,
                                              endOfForeignBlock, brace,   elif};
  return rules;
}

} // namespace cufc
