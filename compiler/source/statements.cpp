// One pass over the lines (Fortran 2018, 6.3). The state that lives from line to line is the
// statement so far, an open character constant, and in free form whether the line ended with "&".
// A compiler directive (!$cuf) counts as a comment.
#include "source/statements.h"
#include <algorithm>
#include <cctype>
#include <string_view>

namespace cufc {
namespace {

bool isBlank(char c) { return c == ' ' || c == '\t'; }

class Splitter {
public:
  Splitter(bool fixedForm, int fixedColumns, const std::function<void(const Statement &)> &visit,
           const std::function<void(const SourceComment &)> &comment)
      : fixedForm(fixedForm), fixedColumns(fixedColumns), visit(visit), comment(comment) {}

  void line(std::string_view text, int number) {
    lineNumber = number;
    if (!text.empty() && text.back() == '\r')
      text.remove_suffix(1);
    if (!text.empty() && text[0] == '#')
      return;
    if (fixedForm)
      fixedLine(text);
    else
      freeLine(text);
  }

  void finish() {
    if (statement.text.find_first_not_of(" \t") != std::string::npos)
      visit(statement);
    statement.text.clear();
    statement.places.clear();
    quote = 0;
  }

private:
  void fixedLine(std::string_view text) {
    if (text.empty() || std::string_view("cC*!dD").find(text[0]) != std::string_view::npos)
      return commentAt(text, 0, true);
    size_t first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos || (text[first] == '!' && first != 5))
      return commentAt(text, first, true);
    size_t start = 6;
    size_t tab = text.find('\t');
    bool continued = false;
    if (tab < 6) { // the tab form: a digit after the tab continues
      continued = tab + 1 < text.size() && text[tab + 1] >= '1' && text[tab + 1] <= '9';
      start = tab + (continued ? 2 : 1);
    } else {
      text = text.substr(0, fixedColumns);
      continued = text.size() > 5 && text[5] != ' ' && text[5] != '0';
    }
    if (!continued)
      finish();
    characters(text, std::min(start, text.size()), false);
  }

  void freeLine(std::string_view text) {
    size_t first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos || (text[first] == '!' && !quote))
      return commentAt(text, first, true); // such lines do not end a continued statement
    if (!continues)
      finish();
    else if (text[first] == '&')
      ++first;
    else
      first = 0;
    if (statement.text.empty())
      first = afterLabel(text, first);
    continues = characters(text, first, true);
  }

  static size_t afterLabel(std::string_view text, size_t at) {
    size_t end = at;
    while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end])))
      ++end;
    return end > at && end < text.size() && isBlank(text[end]) ? end : at;
  }

  // Takes the characters from `at` on; true if the line ends with "&".
  bool characters(std::string_view text, size_t at, bool ampersands) {
    size_t last = text.find_last_not_of(" \t");
    for (; at < text.size(); ++at) {
      char c = text[at];
      if (ampersands && c == '&' && (at == last || (!quote && commentFollows(text, at + 1)))) {
        commentAt(text, text.find_first_not_of(" \t", at + 1), false);
        return true;
      }
      if (quote) {
        quote = c == quote ? 0 : quote;
      } else if (c == '\'' || c == '"') {
        quote = c;
      } else if (c == '!') {
        commentAt(text, at, false);
        break;
      } else if (c == ';') {
        finish();
        continue;
      }
      statement.text += c;
      statement.places.push_back({lineNumber, static_cast<int>(at) + 1});
    }
    return false;
  }

  static bool commentFollows(std::string_view text, size_t at) {
    size_t next = text.find_first_not_of(" \t", at);
    return next != std::string_view::npos && text[next] == '!';
  }

  void commentAt(std::string_view text, size_t at, bool alone) {
    if (comment && at < text.size())
      comment({text.substr(at), lineNumber, static_cast<int>(at) + 1, alone});
  }

  const bool fixedForm;
  const int fixedColumns;
  const std::function<void(const Statement &)> &visit;
  const std::function<void(const SourceComment &)> &comment;
  Statement statement;
  char quote = 0;
  bool continues = false;
  int lineNumber = 0;
};

} // namespace

void forEachStatement(const std::string &text, bool fixedForm, int fixedColumns,
                      const std::function<void(const Statement &)> &visit) {
  forEachStatementAndComment(text, fixedForm, fixedColumns, visit, nullptr);
}

void forEachStatementAndComment(const std::string &text, bool fixedForm, int fixedColumns,
                                const std::function<void(const Statement &)> &visit,
                                const std::function<void(const SourceComment &)> &comment) {
  Splitter splitter(fixedForm, fixedColumns, visit, comment);
  int number = 1;
  for (size_t begin = 0; begin < text.size(); ++number) {
    size_t end = std::min(text.find('\n', begin), text.size());
    splitter.line(std::string_view(text).substr(begin, end - begin), number);
    begin = end + 1;
  }
  splitter.finish();
}

} // namespace cufc
