// What actions need to know of a text around a place: its statements, where declarations end, what
// is named in a range, and edits made of lines.
#ifndef CUFLS_IDE_ACTIONS_SOURCE_VIEW_H
#define CUFLS_IDE_ACTIONS_SOURCE_VIEW_H

#include "ide/actions/action.h"
#include "source/blocks.h"

namespace cufc {

struct CodeStatement {
  std::string text;        // in one piece
  int first = 0, last = 0; // lines
  StatementRole role;
  std::string word;        // the first one, lower case; behind the name of a construct
  bool sharesLine = false; // with another one
};

std::vector<CodeStatement> statementsIn(const ActionContext &context, int firstLine, int lastLine);

// The innermost program unit or procedure around a position, or the outermost one.
struct UnitAround {
  int scope = -1; // of the file's analysis
  int firstLine = 0, lastLine = 0;
  explicit operator bool() const { return scope >= 0; }
};
UnitAround unitAround(const ActionContext &context, TextPosition position, bool outermost = false);

// The procedure or main program around, where statements can be executed.
UnitAround procedureAround(const ActionContext &context, TextPosition position);

// Lines below which USE and declarations can be added to a unit.
struct SpecificationPart {
  int lastUse = 0;         // or the unit's first statement
  int lastDeclaration = 0; // or IMPLICIT, USE, the unit's first statement
  std::string indentation; // of its statements
};
SpecificationPart specificationOf(const ActionContext &context, const UnitAround &unit);

// Whether a name stands in a text, of which it is no part of a longer one. Case counts.
bool hasWord(const std::string &text, const std::string &word);

// A loop nest or any other block of statements around or in the selection.
struct LoopNest {
  std::vector<CodeStatement> heads; // the DO statements, each right inside of the one before
  std::vector<CodeStatement> body;  // what stands in the innermost
  std::vector<int> ends;            // lines of their END DO
  int first = 0, last = 0;          // lines of the outermost DO and its END DO
  explicit operator bool() const { return !heads.empty(); }
};
// The loop whose first line the selection begins in, with those right inside of it.
LoopNest loopNestAt(const ActionContext &context);

// "do i = 1, n, 2" in parts; empty variable if it is no such loop.
struct LoopControl {
  std::string variable, lower, upper, step;
};
LoopControl controlOf(const CodeStatement &loop);

// What is named between two lines, of this file, in the order of the text.
std::vector<OccurrenceAt> namesIn(const ActionContext &context, int firstLine, int lastLine);

// Lines below a line, or above one. `text` has no end of line at its end.
TextChange linesBelow(const Document &document, int line, const std::string &text);
TextChange linesAbove(int line, const std::string &text);

std::string indentationOf(const Document &document, int line);
std::string trimmed(std::string_view text);
// The parts of "a, f(b, c), d" between commas that no parentheses hold.
std::vector<std::string> splitList(std::string_view text);

// A name that nothing in the file has: `wish`, or with a number behind it.
std::string freeName(const ActionContext &context, const std::string &wish);

// Whether ranges share a place; empty ones touch.
bool overlap(const TextRange &a, const TextRange &b);
// Where a diagnostic of the context is in the text now.
std::optional<TextRange> rangeNow(const ActionContext &context, const SourceRange &range);

} // namespace cufc
#endif // CUFLS_IDE_ACTIONS_SOURCE_VIEW_H
