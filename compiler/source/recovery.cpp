// See recovery.h.
#include "source/recovery.h"
#include "source/block_balance.h"
#include "source/opening_statements.h"
#include <algorithm>
#include <cctype>
#include <iterator>
#include <tuple>

namespace cufc {
namespace {

bool isWordCharacter(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// In lower case; empty if none begins there.
std::string wordAt(std::string_view text, size_t at) {
  std::string word;
  for (; at < text.size() && isWordCharacter(text[at]); ++at)
    word += static_cast<char>(std::tolower(static_cast<unsigned char>(text[at])));
  return word;
}

bool startsName(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

} // namespace

Recovery::Recovery(std::string text, bool fixedForm, int fixedColumns)
    : now(std::move(text)), fixedForm(fixedForm), fixedColumns(fixedColumns) {
  std::replace(now.begin(), now.end(), '\0', ' ');
  lineStarts.push_back(0);
  for (size_t end = now.find('\n'); end != std::string::npos; end = now.find('\n', end + 1))
    lineStarts.push_back(end + 1);
}

std::string_view Recovery::line(int number) const {
  size_t begin = lineStarts[static_cast<size_t>(number) - 1];
  size_t end = std::min(now.find('\n', begin), now.size());
  return std::string_view(now).substr(begin, end - begin);
}

void Recovery::split() {
  statements.clear();
  forEachStatement(now, fixedForm, fixedColumns,
                   [&](const Statement &statement) { statements.push_back(statement); });
}

bool Recovery::balance() {
  split();
  BlockBalance result = balanceBlocks(statements);
  for (size_t stray : result.strays) {
    if (isProcedure(roleOf(statements[stray].text, false).block))
      strayEnds.insert(statements[stray].places.front().line);
    blank(statements[stray]);
  }
  for (size_t plain : result.plainEnds) { // the word END stays
    const std::vector<Statement::Place> &places = statements[plain].places;
    size_t word = statements[plain].text.find_first_not_of(" \t");
    for (size_t i = word + 3; i < places.size(); ++i)
      blankColumns(places[i].line, static_cast<size_t>(places[i].column) - 1,
                   static_cast<size_t>(places[i].column));
  }
  auto before = [](const Edit &a, const Edit &b) {
    return std::tie(a.line, a.column) < std::tie(b.line, b.column);
  };
  std::sort(repairs.begin(), repairs.end(), before); // one at a place
  closers.clear();
  std::merge(repairs.begin(), repairs.end(), result.insertions.begin(), result.insertions.end(),
             std::back_inserter(closers), before);
  for (const Edit &closer : closers)
    lines.insert(closer.line);
  return !result.insertions.empty() || !result.strays.empty() || !result.plainEnds.empty();
}

size_t Recovery::statementAt(Place place) const {
  auto after = std::upper_bound(statements.begin(), statements.end(), place,
                                [](const Place &wanted, const Statement &statement) {
                                  const Statement::Place &first = statement.places.front();
                                  return std::tie(wanted.line, wanted.column) <
                                         std::tie(first.line, first.column);
                                });
  return static_cast<size_t>(after - statements.begin()) - 1; // the largest number if none
}

void Recovery::leaveOut(const std::vector<Place> &errors) {
  constexpr int fineRounds = 12, procedureRounds = 18;
  ++rounds;
  split();
  changed = false;
  if (rounds <= fineRounds)
    for (const Place &error : errors)
      leaveOutAt(error);
  if (!changed && rounds <= procedureRounds)
    for (const Place &error : errors)
      leaveOutProcedure(error);
  if (!changed)
    for (const Statement &statement : statements)
      blank(statement);
  if (!changed) // not even statements
    for (size_t line = 1; line <= lineStarts.size(); ++line)
      blankLine(static_cast<int>(line));
  balance();
}

void Recovery::leaveOutAt(Place place) {
  size_t index = statementAt(place);
  bool inside = index < statements.size() && place.line <= statements[index].places.back().line;
  if (!inside && blankLine(place.line)) // a directive, or bytes that are no statement
    return;
  if (index >= statements.size())
    return;
  const Statement &statement = statements[index];
  StatementRole role = roleOf(statement.text, false);
  if (role.kind == StatementRole::Opens && inside && reduce(statement, role))
    return;
  blank(statement);
  if (!isUnit(role.block))
    leaveOutLost(index);
}

// Whether only a procedure can begin there.
bool Recovery::isBehindContains(size_t index) const {
  int ended = 0;
  while (index-- > 0) {
    StatementRole role = roleOf(statements[index].text, false);
    if (role.kind == StatementRole::Contains)
      return ended == 0;
    if (role.kind == StatementRole::Closes && isProcedure(role.block))
      ++ended;
    if (role.kind != StatementRole::Opens || !isUnit(role.block))
      continue;
    if (ended == 0)
      return false;
    --ended;
  }
  return false;
}

// What stands behind CONTAINS without the first statement of its procedure, to its END, which has
// been left out as one of nothing.
void Recovery::leaveOutLost(size_t index) {
  auto end = strayEnds.lower_bound(statements[index].places.front().line);
  if (end == strayEnds.end() || !isBehindContains(index))
    return;
  for (++index; index < statements.size() && statements[index].places.front().line < *end;
       ++index) {
    StatementRole role = roleOf(statements[index].text, false);
    if (role.kind == StatementRole::Contains || isUnit(role.block))
      return;
    blank(statements[index]);
  }
}

bool Recovery::leaveOutIncludes() {
  split();
  changed = false;
  for (const Statement &statement : statements) {
    size_t first = statement.text.find_first_not_of(" \t");
    if (wordAt(statement.text, first) == "include")
      blank(statement);
  }
  for (size_t number = 1; number <= lineStarts.size(); ++number) {
    std::string_view text = line(static_cast<int>(number));
    size_t word = text.empty() || text[0] != '#' ? 0 : text.find_first_not_of(" \t", 1);
    if (word != 0 && word != std::string_view::npos && wordAt(text, word) == "include")
      blankLine(static_cast<int>(number));
  }
  return changed;
}

// What stands between the first and the last statement of the procedure or program around a place;
// these, too, if nothing does.
void Recovery::leaveOutProcedure(Place place) {
  size_t index = statementAt(place);
  if (index >= statements.size())
    return;
  auto roleAt = [&](size_t i) {
    StatementRole role = roleOf(statements[i].text, false);
    bool unit = role.block == Block::None || isUnit(role.block);
    return unit ? role.kind : StatementRole::Other;
  };
  size_t begin = index, end = index;
  while (begin > 0 && roleAt(begin) != StatementRole::Opens)
    --begin;
  while (end + 1 < statements.size() && roleAt(end) != StatementRole::Closes)
    ++end;
  bool empty = begin + 1 >= end;
  for (size_t i = empty ? begin : begin + 1; i < (empty ? end + 1 : end); ++i)
    blank(statements[i]);
}

bool Recovery::reduce(const Statement &statement, const StatementRole &role) {
  auto [line, column] = statement.places.front();
  auto opening = reduced.insert(line).second ? reducedOpening(statement.text, role) : std::nullopt;
  if (!opening)
    return false;
  remember(statement.text);
  for (size_t i = 0; i < statement.places.size(); ++i) {
    const Statement::Place &place = statement.places[i];
    now[lineStarts[static_cast<size_t>(place.line) - 1] + static_cast<size_t>(place.column) - 1] =
        opening->text[i];
  }
  const Statement::Place &last = statement.places.back();
  if (!opening->behind.empty())
    repairs.push_back({last.line, last.column + 1, opening->behind});
  lines.insert(line);
  return changed = true;
}

void Recovery::blankColumns(int number, size_t begin, size_t end) {
  size_t start = lineStarts[static_cast<size_t>(number) - 1];
  std::string_view text = line(number);
  end = std::min(end, text.size());
  if (end == text.size() && text.ends_with('\r')) // of the line's end
    --end;
  for (size_t i = begin; i < end; ++i)
    if (now[start + i] != ' ') {
      now[start + i] = ' ';
      changed = true;
    }
  lines.insert(number);
}

bool Recovery::blankLine(int number) {
  if (number < 1 || static_cast<size_t>(number) > lineStarts.size() ||
      line(number).find_first_not_of(" \t\r") == std::string_view::npos)
    return false;
  remember(std::string(line(number)));
  blankColumns(number, 0, std::string::npos);
  return true;
}

// With its label, the marks of continuation and comments in between.
void Recovery::blank(const Statement &statement) {
  remember(statement.text);
  auto [first, column] = statement.places.front();
  auto [last, lastColumn] = statement.places.back();
  std::string_view before = line(first).substr(0, static_cast<size_t>(column) - 1);
  bool labelled = before.find_first_not_of(" \t0123456789") == std::string_view::npos;
  size_t mark = line(last).find_first_not_of(" \t", static_cast<size_t>(lastColumn));
  bool continued = mark != std::string_view::npos && line(last)[mark] == '&';
  for (int number = first; number <= last; ++number)
    blankColumns(number, number == first && !labelled ? static_cast<size_t>(column) - 1 : 0,
                 number != last ? std::string::npos
                 : continued    ? mark + 1
                                : static_cast<size_t>(lastColumn));
}

void Recovery::remember(const std::string &text) {
  bool first = true;
  for (size_t i = 0; i < text.size();) {
    std::string word = wordAt(text, i);
    size_t end = i + word.size();
    if (end > i && startsName(word[0])) {
      useIsLost |= first && (word == "use" || word == "include" || word == "import");
      lostNames.insert(word);
      first = false;
    }
    i = std::max(end, i + 1);
  }
}

} // namespace cufc
