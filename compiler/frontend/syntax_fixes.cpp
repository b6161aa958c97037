// A statement of free form opens with a keyword unless it is an assignment; a word at its beginning
// that is followed by something else, and is near to a keyword, is meant to be that.
#include "frontend/syntax_fixes.h"
#include "base/flang_phrases.h"
#include "base/source_text.h"
#include "source/statement_words.h"
#include <algorithm>
#include <cctype>
#include <fmt/format.h>

namespace cufc {
namespace {

// How flang names a construct around an error, and the statement that ends it.
constexpr std::pair<std::string_view, std::string_view> endings[] = {
    {"in this IF construct", "end if"},
    {"in this DO construct", "end do"},
    {"in this SELECT CASE construct", "end select"},
    {"in this SELECT TYPE construct", "end select"},
    {"in this ASSOCIATE construct", "end associate"},
    {"in this BLOCK construct", "end block"},
    {"in this WHERE construct", "end where"},
    {"in this FORALL construct", "end forall"},
    {"in this derived type definition", "end type"},
    {"in this interface block", "end interface"},
    {"in this SUBROUTINE subprogram", "end subroutine"},
    {"in this FUNCTION subprogram", "end function"},
    {"in this main program", "end program"},
    {"in this module", "end module"},
    {"in this submodule", "end submodule"}};

bool isLetter(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

size_t indentation(std::string_view line) {
  return std::min(line.find_first_not_of(" \t"), line.size());
}

// The keyword that a word is probably meant to be; empty if it is one, or near to none.
std::string_view meantKeyword(std::string_view word) {
  std::string_view best;
  if (word.size() < 3 || beginsStatement(lowerCase(word)))
    return best;
  size_t bestDistance = word.size() < 6 ? 2 : 3;
  for (std::string_view keyword : wordsWith(word_role::Meant))
    if (size_t distance = editDistance(word, keyword);
        distance < bestDistance && keyword.size() > 2) {
      bestDistance = distance;
      best = keyword;
    }
  return best;
}

void replaceWord(Diagnostic &error, size_t begin, size_t length, std::string_view word,
                 std::string_view keyword) {
  error.range.column = static_cast<int>(begin) + 1;
  error.range.endLine = error.range.line;
  error.range.endColumn = static_cast<int>(begin + length) + 1;
  error.message =
      fmt::format("syntax error: '{}' is no keyword; did you mean '{}'?", word, keyword);
  error.fixes.push_back(
      {fmt::format("replace by '{}'", keyword), {{error.range, std::string(keyword)}}});
}

// "prnt *, x"; an assignment or a call of a component is none.
bool explainFirstWord(Diagnostic &error, std::string_view line) {
  size_t begin = indentation(line), end = begin;
  while (end < line.size() && isLetter(line[end]))
    ++end;
  std::string_view word = line.substr(begin, end - begin);
  std::string_view rest = line.substr(end);
  rest.remove_prefix(indentation(rest));
  bool other = rest.starts_with("=") || rest.starts_with("%") || rest.starts_with("[") ||
               rest.starts_with("&") || (rest.starts_with(":") && !rest.starts_with("::"));
  std::string_view keyword = other ? std::string_view() : meantKeyword(word);
  if (keyword.empty() || static_cast<size_t>(error.range.column) < begin + 1)
    return false;
  replaceWord(error, begin, word.size(), word, keyword);
  return true;
}

// "if (x > 1) thn"
bool explainThen(Diagnostic &error, std::string_view line) {
  size_t end = line.find_last_not_of(" \t");
  if (end == std::string_view::npos || !isLetter(line[end]))
    return false;
  size_t begin = end;
  while (begin > 0 && isLetter(line[begin - 1]))
    --begin;
  std::string_view word = line.substr(begin, end + 1 - begin);
  size_t before = line.substr(0, begin).find_last_not_of(" \t");
  std::string start = lowerCase(line.substr(indentation(line)));
  bool condition = start.starts_with("if") || start.starts_with("else");
  if (!condition || before == std::string_view::npos || line[before] != ')' || word.size() > 5 ||
      lowerCase(word) == "then" || editDistance(word, "then") > 2)
    return false;
  replaceWord(error, begin, word.size(), word, "then");
  return true;
}

// Where the file ends inside of a construct.
void addEnding(Diagnostic &error, SourceLines &lines) {
  if (error.related.empty() || !isPhrase(error.message, Phrase::EndOfFile))
    return;
  const Diagnostic &around = error.related.front();
  auto found = std::find_if(std::begin(endings), std::end(endings),
                            [&](const auto &row) { return row.first == around.message; });
  if (found == std::end(endings))
    return;
  std::string_view opening = lines.line(around.range.file, around.range.line);
  std::string text(opening.substr(0, indentation(opening)));
  text += found->second;
  text += "\n";
  int line = error.range.line + 1;
  SourceRange place{error.range.file, line, 1, line, 1};
  error.fixes.push_back({fmt::format("insert '{}'", found->second), {{place, text}}});
}

} // namespace

void explainSyntaxError(Diagnostic &error, SourceLines &lines) {
  std::string_view line = lines.line(error.range.file, error.range.line);
  size_t at = static_cast<size_t>(std::max(error.range.column - 1, 0));
  bool directive = line.substr(indentation(line)).starts_with("!$");
  if (directive && at < line.size() && line.substr(at).starts_with("<<<")) {
    error.message =
        "syntax error: a launch has two to four values, <<<grid, block, bytes, stream>>>";
    return;
  }
  bool expectation = isPhrase(error.message, Phrase::Expected) || error.message == "syntax error";
  if (expectation && (explainThen(error, line) || explainFirstWord(error, line)))
    return;
  addEnding(error, lines);
}

void dropUnopenedEnds(std::vector<Diagnostic> &errors, SourceLines &lines) {
  bool unopened = false;
  std::vector<Diagnostic> kept;
  for (Diagnostic &error : errors) {
    std::string_view line = lines.line(error.range.file, error.range.line);
    std::string start = lowerCase(line.substr(indentation(line)));
    bool closes = false;
    for (std::string_view word : {"end if", "endif", "else", "end do", "enddo"})
      closes |= start.starts_with(word);
    bool opens = start.starts_with("do ") || error.message.ends_with("did you mean 'then'?") ||
                 (start.starts_with("if") && start.find("then") != std::string::npos);
    unopened |= opens;
    if (!unopened || !closes || isPhrase(error.message, Phrase::EndOfFile))
      kept.push_back(std::move(error));
  }
  errors = std::move(kept);
}

} // namespace cufc
