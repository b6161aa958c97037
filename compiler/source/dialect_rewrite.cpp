// A line scanner that looks at lines that begin with `!$cuf`, `!@cuf` or `!pgi$`. Positions stay as
// they are but for the bytes inserted, which are recorded so that messages can point into the
// original.
#include "source/dialect_rewrite.h"
#include "source/sentinels.h"
#include <algorithm>
#include <cctype>
#include <optional>
#include <string_view>

namespace cufc {
namespace {

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

// The operands between the chevrons of a directive: ranges of 0-based columns without the commas.
std::vector<std::pair<size_t, size_t>> operandsOf(std::string_view line) {
  std::vector<std::pair<size_t, size_t>> operands;
  size_t chevrons = line.find("<<<"), end = line.find(">>>");
  if (chevrons == std::string_view::npos || end == std::string_view::npos)
    return operands;
  int depth = 0;
  size_t begin = chevrons + 3;
  for (size_t i = begin; i <= end; ++i) {
    if (i == end || (line[i] == ',' && depth == 0)) {
      operands.emplace_back(begin, i);
      begin = i + 1;
    }
    depth += line[i] == '(' ? 1 : line[i] == ')' ? -1 : 0;
  }
  return operands;
}

std::string withoutBlanks(std::string_view text) {
  std::string result;
  for (char c : text)
    if (c != ' ' && c != '\t')
      result += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

bool isLiteral(const std::string &text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c); });
}

// flang takes 0 alone as number of bytes of shared memory, which a CUF kernel does not use, and
// only before a stream; as a stream, a variable. What it does not take is overwritten in place.
void dropUnusedOperands(std::string &line) {
  auto operands = operandsOf(line);
  if (operands.size() < 3 || operands.size() > 4)
    return;
  auto text = [&](size_t i) {
    return withoutBlanks(line.substr(operands[i].first, operands[i].second - operands[i].first));
  };
  auto blank = [&](size_t first, size_t last) { // with the comma before
    std::fill(line.begin() + static_cast<ptrdiff_t>(operands[first].first) - 1,
              line.begin() + static_cast<ptrdiff_t>(operands[last].second), ' ');
  };
  std::string third = text(2), keyword = "stream=";
  if (operands.size() == 3) {
    if (isLiteral(third) || third == keyword + "0")
      blank(2, 2);
  } else if (std::string stream = text(3); stream == "0" || stream == keyword + "0") {
    blank(2, 3);
  } else if (stream.compare(0, keyword.size(), keyword) == 0) {
    blank(2, 2);
  } else if (!third.empty() && third != "0") {
    blank(2, 2);
    line[operands[2].first - 1] = ',';
    line[operands[2].first] = '0';
    line[operands[2].second] = ' ';
    line[operands[2].first + 1] = ','; // flang takes one blank at most before it
  }
}

// Columns (0-based) before which a "+" makes an operand an expression.
std::vector<size_t> plusPositions(std::string_view line) {
  std::vector<size_t> positions;
  for (auto [begin, end] : operandsOf(line))
    if (size_t at = line.find_first_not_of(" \t", begin); at < end && line[at] == '(')
      if (beginsExpression(line, at))
        positions.push_back(at);
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

namespace {

void appendLine(const std::string &line,
                const std::vector<std::pair<size_t, std::string>> &insertions, int lineNumber,
                Rewrite &result) {
  size_t copied = 0;
  for (const auto &[at, inserted] : insertions) {
    if (at > line.size())
      continue;
    result.text.append(line, copied, at - copied).append(inserted);
    result.changed = true;
    result.insertions.push_back(
        {lineNumber, static_cast<int>(at), static_cast<int>(inserted.size())});
    copied = at;
  }
  result.text.append(line, copied, std::string::npos);
}

} // namespace

Rewrite rewriteDialect(const std::string &text, bool fixedForm, const std::vector<Edit> &edits) {
  Rewrite result;
  result.text.reserve(text.size() + 16);
  int lineNumber = 1;
  auto edit = edits.begin();
  for (size_t begin = 0; begin < text.size(); ++lineNumber) {
    size_t end = text.find('\n', begin);
    end = end == std::string::npos ? text.size() : end + 1;
    std::string line = text.substr(begin, end - begin);
    std::vector<std::pair<size_t, std::string>> insertions;
    openSentinels(line.data(), line.size(), fixedForm);
    if (hasSentinel(line, fixedForm, "$cuf")) {
      dropUnusedOperands(line);
      for (size_t at : plusPositions(line))
        insertions.emplace_back(at, "+");
    }
    result.changed |= text.compare(begin, end - begin, line) != 0;
    for (; edit != edits.end() && edit->line == lineNumber; ++edit)
      insertions.emplace_back(static_cast<size_t>(edit->column) - 1, edit->text);
    std::sort(insertions.begin(), insertions.end());
    appendLine(line, insertions, lineNumber, result);
    begin = end;
  }
  return result;
}

} // namespace cufc
