// Makes a text that does not parse into one that does, so that the rest of it can be analysed.
//
// What is left out becomes blanks, so that all else keeps its place:
//   - statements that the parser has complained of. Of one that opens a program unit, procedure or
//     type, its words, its name and the names of dummies stay;
//   - behind CONTAINS, all of a procedure whose first statement is missing;
//   - END statements of nothing.
// Blocks that are not closed get END statements, as insertions.
#ifndef CUFC_SOURCE_RECOVERY_H
#define CUFC_SOURCE_RECOVERY_H

#include "source/blocks.h"
#include "source/dialect_rewrite.h"
#include "source/statements.h"
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace cufc {

class Recovery {
public:
  Recovery(std::string text, bool fixedForm, int fixedColumns);

  struct Place {
    int line, column;
  };

  // Leaves out the statements at these places; all of the procedures around them if that has been
  // done already. Then balances blocks. Each call leaves out more; in the end nothing is left.
  void leaveOut(const std::vector<Place> &errors);

  // Leaves out what includes files; false if nothing does.
  bool leaveOutIncludes();

  // Only balances blocks; false if they are.
  bool balance();

  const std::string &text() const { return now; }
  const std::vector<Edit> &insertions() const { return closers; }

  // Names in what was left out, in lower case: whoever misses one need not be told.
  const std::set<std::string> &names() const { return lostNames; }
  bool lostUse() const { return useIsLost; } // then any name can be missing
  bool touched(int line) const { return lines.count(line) != 0; }

private:
  void split();
  void leaveOutAt(Place place);
  void leaveOutProcedure(Place place);
  bool isBehindContains(size_t index) const;
  void leaveOutLost(size_t index);
  size_t statementAt(Place place) const; // the last that begins there or before
  bool reduce(const Statement &statement, const StatementRole &role);
  void blank(const Statement &statement);
  bool blankLine(int line);
  void blankColumns(int line, size_t begin, size_t end); // 0-based, without `end`
  void remember(const std::string &text);
  std::string_view line(int number) const;

  std::string now;
  const bool fixedForm;
  const int fixedColumns;
  std::vector<size_t> lineStarts;
  std::vector<Statement> statements;
  std::vector<Edit> repairs; // what reduced statements lack
  std::vector<Edit> closers; // and those
  std::set<std::string> lostNames;
  std::set<int> lines;
  std::set<int> strayEnds; // lines of ENDs of procedures that do not begin
  std::set<int> reduced;   // lines of statements of which a part is left
  bool useIsLost = false;
  int rounds = 0;
  bool changed = false; // in this round
};

} // namespace cufc
#endif // CUFC_SOURCE_RECOVERY_H
