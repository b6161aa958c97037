// Each check is one pass over the text.
#include "source/text_checks.h"
#include "base/diag.h"
#include "source/statements.h"
#include <algorithm>
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
  return good;
}

} // namespace cufc
