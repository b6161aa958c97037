// A line scanner that looks at lines that begin with `!$cuf` or `!@cuf`. Positions stay as
// they are but for the bytes inserted, which are recorded so that messages can point into the
// original.
#include "source/dialect_rewrite.h"
#include <algorithm>
#include <cctype>
#include <optional>
#include <string_view>

namespace cufc {
namespace {

// Whether a line begins with a comment character and `word` (in lower case).
bool hasSentinel(std::string_view line, bool fixedForm, std::string_view wanted) {
  size_t at = fixedForm ? 0 : line.find_first_not_of(" \t");
  if (at == std::string_view::npos || line.size() < at + 5)
    return false;
  char sentinel = line[at];
  if (sentinel != '!' && !(fixedForm && (sentinel == 'c' || sentinel == 'C' || sentinel == '*')))
    return false;
  std::string word;
  for (char c : line.substr(at + 1, 4))
    word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return word == wanted;
}

// The matching ")" of the "(" at `open`, or npos. `hasComma` tells of a comma directly inside.
size_t closing(std::string_view text, size_t open, bool &hasComma) {
  int depth = 0;
  for (size_t i = open; i < text.size(); ++i) {
    if (text[i] == '(')
      ++depth;
    else if (text[i] == ',' && depth == 1)
      hasComma = true;
    else if (text[i] == ')' && --depth == 0)
      return i;
  }
  return std::string_view::npos;
}

// Whether the "(" at `open` begins an expression such as (n+1)/2 and not a list (a, b): the
// parenthesis of a list is the whole operand, so a comma or the closing chevrons follow it.
bool beginsExpression(std::string_view text, size_t open) {
  bool hasComma = false;
  size_t close = closing(text, open, hasComma);
  if (close == std::string_view::npos || hasComma)
    return false;
  size_t next = text.find_first_not_of(" \t", close + 1);
  return next != std::string_view::npos && text[next] != ',' && text[next] != '>';
}

// Columns (0-based) before which a "+" makes an operand an expression.
std::vector<size_t> plusPositions(std::string_view line) {
  std::vector<size_t> positions;
  size_t chevrons = line.find("<<<");
  if (chevrons == std::string_view::npos)
    return positions;
  int depth = 0;
  bool operandStart = true;
  for (size_t i = chevrons + 3; i < line.size() && line.compare(i, 3, ">>>") != 0; ++i) {
    char c = line[i];
    if (c == ' ' || c == '\t')
      continue;
    if (c == '(' && depth == 0 && operandStart && beginsExpression(line, i))
      positions.push_back(i);
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    operandStart = c == ',' && depth == 0;
  }
  return positions;
}

} // namespace

int Rewrite::originalColumn(int line, int column) const {
  int shift = 0;
  for (const Insertion &insertion : insertions) {
    int first = insertion.column + shift + 1; // of the inserted bytes, which stand for the next one
    if (insertion.line == line && column > first)
      shift += std::min(insertion.length, column - first);
  }
  return column - shift;
}

Rewrite rewriteDialect(const std::string &text, bool fixedForm, const std::vector<Edit> &edits) {
  Rewrite result;
  result.text.reserve(text.size() + 16);
  int lineNumber = 1;
  auto edit = edits.begin();
  for (size_t begin = 0; begin < text.size(); ++lineNumber) {
    size_t end = text.find('\n', begin);
    end = end == std::string::npos ? text.size() : end + 1;
    std::string_view line(text.data() + begin, end - begin);
    size_t copied = 0;
    auto insert = [&](size_t at, std::string_view inserted) {
      result.text.append(line.substr(copied, at - copied)).append(inserted);
      result.changed = true;
      result.insertions.push_back(
          {lineNumber, static_cast<int>(at), static_cast<int>(inserted.size())});
      copied = at;
    };
    if (hasSentinel(line, fixedForm, "@cuf")) {
      size_t sentinel = line.find('@') - 1;
      result.text.append(line.substr(0, sentinel)).append(5, ' ');
      copied = sentinel + 5;
      result.changed = true;
    } else if (hasSentinel(line, fixedForm, "$cuf")) {
      for (size_t at : plusPositions(line))
        insert(at, "+");
    }
    for (; edit != edits.end() && edit->line == lineNumber; ++edit)
      if (size_t at = static_cast<size_t>(edit->column) - 1; at >= copied && at <= line.size())
        insert(at, edit->text);
    result.text.append(line.substr(copied));
    begin = end;
  }
  return result;
}

} // namespace cufc
