// Words are separated by blanks and line ends; quotes of both kinds and the backslash keep blanks,
// as in GCC's response files (GCC manual, "Overall Options").
#include "driver/response_files.h"
#include "base/diag.h"
#include "base/files.h"
#include "base/ordinary_files.h"
#include <cerrno>

namespace cufc {
namespace {

constexpr int deepest = 10; // files that name files

std::vector<std::string> wordsOf(const std::string &text) {
  std::vector<std::string> words;
  std::string word;
  bool inside = false;
  char quote = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    char c = text[at];
    bool blank = !quote && (c == ' ' || c == '\t' || c == '\n' || c == '\r');
    if (blank && inside)
      words.push_back(std::move(word)), word.clear();
    inside = !blank;
    if (blank)
      continue;
    if (c == '\\' && quote != '\'' && at + 1 < text.size())
      word += text[++at];
    else if (!quote && (c == '\'' || c == '"'))
      quote = c;
    else if (c == quote)
      quote = 0;
    else
      word += c;
  }
  if (inside)
    words.push_back(std::move(word));
  return words;
}

void expand(const std::vector<std::string> &arguments, int depth, std::vector<std::string> &result,
            Diagnostics &diagnostics) {
  for (const std::string &argument : arguments) {
    std::string text;
    if (argument.size() < 2 || argument[0] != '@') {
      result.push_back(argument);
    } else if (depth == deepest || !readFile(argument.substr(1), text)) {
      if (depth == deepest)
        errno = ELOOP;
      diagnostics.report(Diag::CannotRead, {}, argument.substr(1), readFailure());
    } else {
      expand(wordsOf(text), depth + 1, result, diagnostics);
    }
  }
}

} // namespace

std::vector<std::string> withResponseFiles(const std::vector<std::string> &arguments,
                                           Diagnostics &diagnostics) {
  std::vector<std::string> result;
  expand(arguments, 0, result, diagnostics);
  return result;
}

} // namespace cufc
