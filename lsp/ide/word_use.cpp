// One pass over the lines, comments and strings left out. A use counts less the farther away it is,
// and more if the same two words or signs stand before it as before the cursor.
#include "ide/word_use.h"
#include "base/source_text.h"
#include "source/blocks.h"
#include <algorithm>
#include <cctype>
#include <cstdlib>

namespace cufc {
namespace {

constexpr double halfWay = 15;      // lines, at which a use counts half
constexpr double behindSame = 3;    // how much more a use counts behind the same word or sign
constexpr double behindSameTwo = 8; // and behind the same two
constexpr std::string_view kindMark = "_"; // "before" of a kind parameter: 1.0_wp

bool isNameCharacter(char c) {
  return c == '_' || c == '$' || std::isalnum(static_cast<unsigned char>(c)) != 0;
}

bool isDigit(char c) { return c >= '0' && c <= '9'; }

bool isCommentLine(std::string_view line, bool fixedForm) {
  if (line.empty() || line[0] == '#')
    return line.empty();
  if (fixedForm && std::string_view("cC*dD").find(line[0]) != line.npos &&
      !(line.size() > 1 && line[1] == '$'))
    return true;
  size_t first = line.find_first_not_of(" \t");
  return first == line.npos ||
         (line[first] == '!' && (first + 1 >= line.size() || line[first + 1] != '$'));
}

// The lines of the program unit or procedure around a line, by the words that begin and end one.
std::pair<int, int> unitAround(const Document &document, int line, bool fixedForm) {
  auto boundary = [&](int number) {
    std::string_view text = document.line(number);
    if (isCommentLine(text, fixedForm) || text[0] == '#')
      return false;
    StatementRole role = roleOf(lowerCase(text), false);
    return role.kind != StatementRole::Other && isUnit(role.block);
  };
  int begin = line, end = line;
  while (begin > 1 && !boundary(begin))
    --begin;
  while (end + 1 <= document.lineCount() && (end == line || !boundary(end)))
    ++end;
  return {begin, end};
}

// The two words or signs that a list of tokens ends with.
std::string lastOf(const std::vector<Token> &tokens, size_t back) {
  return tokens.size() > back ? tokens[tokens.size() - 1 - back].text : std::string();
}

} // namespace

WordUse::WordUse(const Query &query, const CursorContext &context)
    : query(query), context(context), here{lastOf(context.tokens, 0), lastOf(context.tokens, 1)} {
  if (context.prefix.empty() && here.last != "%")
    return;
  if (context.kindSuffix)
    here = {std::string(kindMark), {}};
  bool fixedForm = query.file.reading.fixedForm;
  const Document &document = query.document();
  std::tie(unitBegin, unitEnd) = unitAround(document, query.position.line, fixedForm);
  for (int number = 1; number <= document.lineCount(); ++number)
    if (std::string_view line = document.line(number); !isCommentLine(line, fixedForm))
      readLine(line, number);
}

void WordUse::readLine(std::string_view line, int number) {
  Before before;
  auto sign = [&](std::string_view text) { before = {std::string(text), before.last}; };
  char quote = 0;
  for (size_t at = 0; at < line.size();) {
    char c = line[at];
    size_t end = at + 1;
    if (quote != 0) {
      quote = c == quote ? '\0' : quote;
    } else if (c == '\'' || c == '"') {
      quote = c;
      sign("'");
    } else if (c == '!' && !(at + 1 < line.size() && line[at + 1] == '$')) {
      return;
    } else if (isNameCharacter(c)) {
      while (end < line.size() && isNameCharacter(line[end]))
        ++end;
      std::string_view word = line.substr(at, end - at);
      size_t kind = isDigit(c) ? word.find('_') : word.npos;
      if (kind != word.npos && kind + 1 < word.size())
        take(word.substr(kind + 1), number, static_cast<int>(at + kind) + 2,
             {std::string(kindMark), {}});
      else if (!isDigit(c))
        take(word, number, static_cast<int>(at) + 1, before);
      sign(lowerCase(word));
    } else if (c != ' ' && c != '\t') {
      while (end < line.size() && line[end] == c && std::string_view("<>=:*/").find(c) != line.npos)
        ++end;
      sign(line.substr(at, end - at));
    }
    at = end;
  }
}

void WordUse::take(std::string_view word, int line, int column, const Before &before) {
  const std::string &prefix = context.prefix;
  if (word.size() <= prefix.size() || (here.last == "%") != (before.last == "%") ||
      (line == query.position.line && column <= query.position.column &&
       query.position.column <= column + static_cast<int>(word.size())))
    return;
  for (size_t i = 0; i < prefix.size(); ++i)
    if (std::tolower(static_cast<unsigned char>(word[i])) !=
        std::tolower(static_cast<unsigned char>(prefix[i])))
      return;
  int distance = std::abs(line - query.position.line);
  bool same = before.last == here.last;
  double weight = halfWay / (halfWay + distance) *
                  (!same                        ? 1
                   : before.other == here.other ? behindSameTwo
                                                : behindSame);
  UsedWord &row = used[lowerCase(word)];
  if (row.weight == 0 || distance < row.distance) {
    row.distance = distance;
    row.spelling = word;
  }
  row.weight += weight;
  row.inUnit |= line >= unitBegin && line <= unitEnd;
  row.inDefinition |= before.last == "define" && before.other == "#";
}

double WordUse::of(const std::string &name) const {
  auto found = used.find(name);
  return found == used.end() ? 0 : found->second.weight;
}

} // namespace cufc
