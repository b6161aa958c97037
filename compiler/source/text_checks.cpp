// Each check is one pass over the text.
#include "source/text_checks.h"
#include "base/diag.h"
#include "base/mistake_diag.h"
#include "base/source_text.h"
#include "source/statements.h"
#include <algorithm>
#include <cctype>
#include <optional>
#include <string_view>
#include <vector>

namespace cufc {
namespace {

SourceRange placeOf(const std::string &path, std::string_view text, size_t offset) {
  std::string_view before = text.substr(0, offset);
  int line = static_cast<int>(std::count(before.begin(), before.end(), '\n')) + 1;
  size_t lineStart = before.rfind('\n') + 1; // 0 if there is none
  int column = static_cast<int>(offset - lineStart) + 1;
  return {path, line, column, line, column + 1};
}

struct Conditional {
  std::string word; // "ifdef"
  SourceRange range;
};

// "ifdef" for "  # ifdef X", with its place in the line; empty if the line is no directive.
std::string_view directiveWord(std::string_view line, size_t &hash) {
  hash = line.find_first_not_of(" \t");
  if (hash == std::string_view::npos || line[hash] != '#')
    return {};
  size_t begin = line.find_first_not_of(" \t", hash + 1);
  if (begin == std::string_view::npos)
    return {};
  size_t end = begin;
  while (end < line.size() && line[end] >= 'a' && line[end] <= 'z')
    ++end;
  return line.substr(begin, end - begin);
}

std::optional<Conditional> unclosedConditional(const std::string &path, std::string_view text) {
  std::vector<Conditional> open;
  int number = 1;
  for (size_t begin = 0; begin < text.size(); ++number) {
    size_t end = std::min(text.find('\n', begin), text.size());
    size_t hash = 0;
    std::string_view word = directiveWord(text.substr(begin, end - begin), hash);
    if (word == "if" || word == "ifdef" || word == "ifndef") {
      int column = static_cast<int>(hash) + 1;
      int length = static_cast<int>(word.data() + word.size() - (text.data() + begin + hash));
      open.push_back({std::string(word), {path, number, column, number, column + length}});
    } else if (word == "endif" && !open.empty()) {
      open.pop_back();
    }
    begin = end + 1;
  }
  return open.empty() ? std::nullopt : std::optional(open.back());
}

// Where parentheses begin to nest deeper than `most`.
std::optional<Statement::Place> tooDeep(const Statement &statement, int most) {
  int depth = 0;
  char quote = 0;
  for (size_t i = 0; i < statement.text.size(); ++i) {
    char c = statement.text[i];
    if (quote)
      quote = c == quote ? 0 : quote;
    else if (c == '\'' || c == '"')
      quote = c;
    else if (c == '(' && ++depth > most)
      return statement.places[i];
    else if (c == ')')
      --depth;
  }
  return std::nullopt;
}

// The directive that a comment was meant to be: "!$cuf kernel do" for "!cuf$ kernel do" and
// "! $cuf kernel do".
std::string_view meantDirective(std::string_view line) {
  size_t begin = line.find_first_not_of(" \t");
  if (begin == std::string_view::npos || line[begin] != '!')
    return {};
  std::string letters; // of the sentinel, with one blank before the next word
  for (char c : lowerCase(line.substr(begin + 1)))
    if (c != '$' && c != '#' && ((c != ' ' && c != '\t') || !letters.empty()))
      letters += c == '\t' ? ' ' : c;
  static constexpr std::pair<std::string_view, std::string_view> words[] = {
      {"cuf kernel do", "!$cuf kernel do"},
      {"cuf kernels do", "!$cuf kernel do"},
      {"cuda kernel do", "!$cuf kernel do"},
      {"omp parallel do", "!$omp parallel do"}};
  for (auto [written, meant] : words)
    if (letters.starts_with(written) &&
        !lowerCase(line.substr(begin)).starts_with(meant.substr(0, 5)))
      return meant;
  return {};
}

// A comment like a directive, with a loop in the next line.
void checkComments(const std::string &path, std::string_view text, Diagnostics &diagnostics) {
  std::vector<std::string_view> lines = linesOf(text);
  for (size_t i = 0; i + 1 < lines.size(); ++i) {
    std::string_view meant = meantDirective(lines[i]);
    size_t next = meant.empty() ? std::string_view::npos : lines[i + 1].find_first_not_of(" \t");
    if (next == std::string_view::npos || !lowerCase(lines[i + 1].substr(next)).starts_with("do "))
      continue;
    int line = static_cast<int>(i) + 1, begin = static_cast<int>(lines[i].find('!')) + 1;
    size_t word = lowerCase(lines[i]).find("kernel");
    word = word == std::string::npos ? lowerCase(lines[i]).find("parallel") : word;
    int end = static_cast<int>(word) + 1;
    Diagnostic &found =
        diagnostics.report(MistakeDiag::CommentedDirective,
                           {path, line, begin, line, static_cast<int>(lines[i].size()) + 1}, meant);
    found.fixes.push_back({"make it a directive",
                           {{{path, line, begin, line, end}, std::string(meant.substr(0, 6))}}});
  }
}

// What older programs have behind column 72: numbers of cards, marks of a few letters.
bool isCardNumber(std::string_view line, size_t columns) {
  std::string_view tail = line.substr(columns);
  tail = tail.substr(0, tail.find_last_not_of(" \t\r") + 1);
  bool words = std::all_of(tail.begin(), tail.end(), [](unsigned char c) {
    return std::isalnum(c) || c == ' ' || c == '_' || c == '.' || c == '-';
  });
  return words && line[columns - 1] == ' ' && tail.size() <= 8;
}

// Text behind the last column of fixed form that goes on with the statement.
void checkColumns(const std::string &path, std::string_view text, size_t columns,
                  Diagnostics &diagnostics) {
  int number = 0;
  for (std::string_view line : linesOf(text)) {
    ++number;
    if (line.size() <= columns ||
        std::string_view("cCdD*!#").find(line[0]) != std::string_view::npos ||
        line.find('\t') != std::string_view::npos)
      continue;
    char quote = 0;
    bool comment = false;
    for (size_t i = 0; i < columns && !comment; ++i)
      if (quote)
        quote = line[i] == quote ? 0 : quote;
      else if (line[i] == '\'' || line[i] == '"')
        quote = line[i];
      else
        comment = line[i] == '!' && i != 5;
    std::string_view tail = line.substr(columns);
    size_t begin = tail.find_first_not_of(" \t\r");
    if (comment || begin == std::string_view::npos || tail[begin] == '!' ||
        isCardNumber(line, columns))
      continue;
    tail = tail.substr(begin, tail.find_last_not_of(" \t\r") + 1 - begin);
    int column = static_cast<int>(columns + begin) + 1;
    diagnostics.report(MistakeDiag::CutLine,
                       {path, number, column, number, column + static_cast<int>(tail.size())},
                       static_cast<Number>(columns), tail);
  }
}

} // namespace

bool checkText(const std::string &path, const std::string &text, bool fixedForm, int fixedColumns,
               Diagnostics &diagnostics) {
  if (size_t at = text.find('\0'); at != std::string::npos) {
    diagnostics.report(Diag::NotSource, placeOf(path, text, at));
    return false;
  }
  if (auto conditional = unclosedConditional(path, text)) {
    diagnostics.report(Diag::UnclosedConditional, conditional->range, conditional->word);
    return false;
  }
  constexpr int most = 10000; // takes about a tenth of the stack that the driver gives
  bool good = true;
  forEachStatement(text, fixedForm, fixedColumns, [&](const Statement &statement) {
    auto place = good ? tooDeep(statement, most) : std::nullopt;
    if (!place)
      return;
    SourceRange range{path, place->line, place->column, place->line, place->column + 1};
    diagnostics.report(Diag::NestingTooDeep, range, most);
    good = false;
  });
  checkComments(path, text, diagnostics);
  if (fixedForm && fixedColumns == 72)
    checkColumns(path, text, static_cast<size_t>(fixedColumns), diagnostics);
  return good;
}

} // namespace cufc
