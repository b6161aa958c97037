// See type_parameters.h.
//
//   type vector(length)                  type vector(length);integer,len::length
//     real :: x(length)            =>      real :: x(length)
//     integer, len :: length
//
// In prescanned text, which is in lower case, a statement ends with its line or with a semicolon.
#include "frontend/lenient/type_parameters.h"
#include <algorithm>
#include <cctype>
#include <string_view>
#include <tuple>

namespace cufc {
namespace {

std::string withoutBlanks(std::string_view statement) {
  std::string text(statement);
  text.erase(std::remove(text.begin(), text.end(), ' '), text.end());
  return text;
}

bool beginsWith(const std::string &text, std::string_view word) { return text.rfind(word, 0) == 0; }

// type vector(length), and nothing like type(vector) :: x.
bool opensParameterizedType(const std::string &text) {
  return beginsWith(text, "type") && text.size() > 5 && text[4] != '(' && text.back() == ')' &&
         !beginsWith(text, "typeis(") && text.find('=') == std::string::npos;
}

// integer(8), len :: n
bool declaresParameters(const std::string &text) {
  size_t mark = text.find("::");
  if (!beginsWith(text, "integer") || mark == std::string::npos)
    return false;
  std::string_view before = std::string_view(text).substr(0, mark);
  return before.size() > 5 && (before.substr(before.size() - 5) == ",kind" ||
                               before.substr(before.size() - 4) == ",len");
}

struct Statement {
  int line;
  size_t column, begin, end; // 0-based; in the line, and in the text
};

class Scan {
public:
  explicit Scan(std::string &all) : all(all) {}

  void take(const Statement &statement) {
    std::string text = withoutBlanks(
        std::string_view(all).substr(statement.begin, statement.end - statement.begin));
    if (opensParameterizedType(text)) {
      type = statement;
      isOpen = true;
      isBehind = false;
    } else if (beginsWith(text, "endtype")) {
      isOpen = false;
    } else if (isOpen && !text.empty()) {
      if (!declaresParameters(text))
        isBehind = true;
      else if (isBehind)
        move(statement);
    }
  }

  std::vector<Edit> edits;

private:
  void move(const Statement &statement) {
    edits.push_back({type.line, static_cast<int>(type.column + type.end - type.begin) + 1,
                     ";" + all.substr(statement.begin, statement.end - statement.begin)});
    size_t begin = statement.begin, end = statement.end;
    if (begin > 0 && all[begin - 1] == ';') // no statement stays between semicolons
      --begin;
    else if (all[end] == ';')
      ++end;
    std::fill(all.begin() + static_cast<std::ptrdiff_t>(begin),
              all.begin() + static_cast<std::ptrdiff_t>(end), ' ');
  }

  std::string &all;
  Statement type{}; // the TYPE statement that is open
  bool isOpen = false;
  bool isBehind = false; // something that must come later has been there
};

// The end of a line's first statement.
size_t statementEnd(std::string_view text, size_t at, size_t lineEnd) {
  char quote = 0;
  for (; at < lineEnd; ++at)
    if (quote != 0)
      quote = text[at] == quote ? '\0' : quote;
    else if (text[at] == '\'' || text[at] == '"')
      quote = text[at];
    else if (text[at] == ';')
      return at;
  return lineEnd;
}

} // namespace

std::vector<Edit> typeParametersFirst(std::string &text) {
  Scan scan(text);
  if (text.find("type") == std::string::npos)
    return {};
  int line = 1;
  for (size_t begin = 0; begin < text.size(); ++line) {
    size_t lineEnd = std::min(text.find('\n', begin), text.size());
    for (size_t at = begin; at < lineEnd;) {
      size_t end = statementEnd(text, at, lineEnd);
      scan.take({line, at - begin, at, end});
      at = end + 1;
    }
    begin = lineEnd + 1;
  }
  std::sort(scan.edits.begin(), scan.edits.end(), [](const Edit &a, const Edit &b) {
    return std::tie(a.line, a.column, a.text) < std::tie(b.line, b.column, b.text);
  });
  return std::move(scan.edits);
}

} // namespace cufc
