// A line is looked at alone: a text that goes on behind its end is rare among mistakes.
#include "source/mistakes/mistake_text.h"
#include "base/source_text.h"
#include "source/statement_words.h"
#include <algorithm>
#include <cctype>

namespace cufc {
namespace {

// C's != and !x inside of parentheses are no comments; behind & they are.
bool beginsComment(std::string_view line, size_t at, int depth) {
  std::string_view before = trimmed(line.substr(0, at));
  if (before.empty() || before.ends_with("&") || before.ends_with(","))
    return true;
  bool unequal = at + 1 < line.size() && line[at + 1] == '=';
  bool negation = at + 1 < line.size() && (isNameCharacter(line[at + 1]) || line[at + 1] == '(');
  return !(depth > 0 && (unequal || negation) && line.find(')', at) != std::string_view::npos);
}

std::string codeOf(std::string_view line, bool fixedForm) {
  std::string code = lowerCase(line);
  if (fixedForm && !line.empty() && (code[0] == 'c' || code[0] == '*'))
    return std::string(line.size(), ' ');
  char quote = 0;
  int depth = 0;
  for (size_t i = 0; i < code.size(); ++i) {
    if (quote) {
      if (code[i] == quote)
        quote = 0;
      else
        code[i] = '\1';
    } else if (code[i] == '\'' || code[i] == '"') {
      quote = code[i];
    } else if (code[i] == '!' && beginsComment(line, i, depth) && !code.starts_with("!$cuf")) {
      if (trimmed(code.substr(0, i)).empty() && code.substr(i).starts_with("!$cuf"))
        continue;
      std::fill(code.begin() + static_cast<std::ptrdiff_t>(i), code.end(), ' ');
    } else {
      depth += code[i] == '(' ? 1 : code[i] == ')' ? -1 : 0;
    }
  }
  return code;
}

} // namespace

MistakeText::MistakeText(std::string name, std::string content, bool fixedForm, int fixedColumns,
                         bool cuda)
    : file(std::move(name)), fixedForm(fixedForm), cuda(cuda), fixedColumns(fixedColumns),
      text(std::move(content)), raws(linesOf(text)) {
  codes.reserve(raws.size() + 1);
  for (std::string_view line : raws)
    codes.push_back(codeOf(line, fixedForm));
  codes.emplace_back();
}

std::string_view MistakeText::raw(int line) const {
  return line >= 1 && line <= count() ? raws[static_cast<size_t>(line) - 1] : std::string_view();
}

const std::string &MistakeText::code(int line) const {
  return line >= 1 && line <= count() ? codes[static_cast<size_t>(line) - 1] : codes.back();
}

bool isNameCharacter(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

size_t skipBlanks(std::string_view text, size_t at) {
  return at < text.size() ? std::min(text.find_first_not_of(" \t", at), text.size()) : text.size();
}

size_t endOfName(std::string_view text, size_t at) {
  while (at < text.size() && isNameCharacter(text[at]))
    ++at;
  return at;
}

std::string_view nameAt(std::string_view text, size_t at) {
  return at < text.size() ? text.substr(at, endOfName(text, at) - at) : std::string_view();
}

std::optional<size_t> closing(std::string_view text, size_t at) {
  int depth = 0;
  for (; at < text.size(); ++at) {
    depth += text[at] == '(' ? 1 : text[at] == ')' ? -1 : 0;
    if (depth == 0)
      return at;
  }
  return std::nullopt;
}

std::string_view trimmed(std::string_view text) {
  size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos)
    return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") + 1 - begin);
}

std::optional<size_t> findWord(std::string_view text, std::string_view word, size_t from) {
  for (size_t at = text.find(word, from); at != std::string_view::npos;
       at = text.find(word, at + 1)) {
    size_t end = at + word.size();
    if ((at == 0 || !isNameCharacter(text[at - 1])) &&
        (end == text.size() || !isNameCharacter(text[end])))
      return at;
  }
  return std::nullopt;
}

size_t indentationOf(std::string_view line) { return skipBlanks(line, 0); }

size_t beginOfAction(std::string_view code) {
  size_t begin = indentationOf(code);
  if (nameAt(code, begin) != "if")
    return begin;
  size_t open = skipBlanks(code, begin + 2);
  auto close = open < code.size() && code[open] == '(' ? closing(code, open) : std::nullopt;
  return close ? skipBlanks(code, *close + 1) : begin;
}

bool isDeclaration(std::string_view code) {
  size_t begin = indentationOf(code);
  std::string_view word = nameAt(code, begin);
  if (!hasRole(word, word_role::Type))
    return false;
  size_t after = skipBlanks(code, begin + word.size());
  return after < code.size() && code[after] != '=' && code.find("function") == std::string::npos &&
         ((word != "type" && word != "class") || code[after] == '(');
}

std::string_view nearestWord(std::string_view word, const std::vector<std::string_view> &words) {
  std::string_view best;
  size_t bestDistance = std::max<size_t>(1, word.size() / 3) + 1;
  for (std::string_view candidate : words)
    if (size_t distance = editDistance(word, candidate);
        distance > 0 && distance < bestDistance && distance < word.size()) {
      bestDistance = distance;
      best = candidate;
    }
  return best;
}

SourceRange Finding::range(int line, size_t begin, size_t end) const {
  return {at.text.file, line, static_cast<int>(begin) + 1, line, static_cast<int>(end) + 1};
}

Finding &Finding::fix(std::string title) {
  Diagnostic found = diagnostics.list().front();
  found.fixes.push_back({std::move(title), {}});
  diagnostics.replace({std::move(found)});
  return *this;
}

Finding &Finding::underline(size_t begin, size_t end) {
  Diagnostic found = diagnostics.list().front();
  found.range = range(at.line, begin, end);
  diagnostics.replace({std::move(found)});
  return *this;
}

Finding &Finding::edit(TextEdit edit) {
  Diagnostic found = diagnostics.list().front();
  found.fixes.back().edits.push_back(std::move(edit));
  diagnostics.replace({std::move(found)});
  return *this;
}

Finding &Finding::replace(int line, size_t begin, size_t end, std::string text) {
  return edit({range(line, begin, end), std::move(text)});
}

} // namespace cufc
