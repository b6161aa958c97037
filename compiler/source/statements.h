// Splits Fortran source into statements, without understanding them.
#ifndef CUFC_SOURCE_STATEMENTS_H
#define CUFC_SOURCE_STATEMENTS_H

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace cufc {

// A statement in one piece: continuation lines joined; labels, comments, preprocessor directives
// and the marks of continuation left out. Character constants are there as written.
struct Statement {
  struct Place {
    int line;
    int column; // both from 1, of the original text
  };
  std::string text;
  std::vector<Place> places; // one for each byte of `text`
};

// Calls `visit` for each statement that is not empty, in order. A statement of fixed form ends at
// `fixedColumns`. The statement is valid during the call.
void forEachStatement(const std::string &text, bool fixedForm, int fixedColumns,
                      const std::function<void(const Statement &)> &visit);

// A comment with its mark, up to the end of the line; `alone` if nothing else stands on the line.
// Directives (!$cuf) are comments too.
struct SourceComment {
  std::string_view text;
  int line;
  int column; // both from 1
  bool alone;
};

// The same with comments, each at its place among the statements; one behind the last line of a
// statement comes before that statement.
void forEachStatementAndComment(const std::string &text, bool fixedForm, int fixedColumns,
                                const std::function<void(const Statement &)> &visit,
                                const std::function<void(const SourceComment &)> &comment);

} // namespace cufc
#endif // CUFC_SOURCE_STATEMENTS_H
