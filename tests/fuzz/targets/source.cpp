// The syntax layer on any text, in both forms: statements, program units, recovery, mistakes,
// comments that allow.
#include "base/diagnostics.h"
#include "source/allow_comments.h"
#include "source/comments.h"
#include "source/conditional_lines.h"
#include "source/dialect_rewrite.h"
#include "source/form_signs.h"
#include "source/included_text.h"
#include "source/mistakes/mistakes.h"
#include "source/program_units.h"
#include "source/recovery.h"
#include "source/statements.h"
#include "source/text_checks.h"
#include "source/unread_text.h"
#include <cstdint>
#include <cstdlib>

using namespace cufc;

namespace {

void require(bool right) {
  if (!right)
    std::abort();
}

// Each byte of a statement has a place, which lies in the text.
void readStatements(const std::string &text, bool fixedForm) {
  int lines = 1;
  for (char c : text)
    lines += c == '\n';
  forEachStatementAndComment(
      text, fixedForm, 72,
      [&](const Statement &statement) {
        require(statement.text.size() == statement.places.size());
        for (const Statement::Place &place : statement.places)
          require(place.line >= 1 && place.line <= lines && place.column >= 1);
      },
      [&](const SourceComment &comment) { require(comment.line >= 1 && comment.line <= lines); });
}

void recover(const std::string &text, bool fixedForm, int line, int column) {
  Recovery recovery(text, fixedForm, 72);
  recovery.balance();
  for (int round = 0; round < 3; ++round)
    recovery.leaveOut({{line, column}, {line + round, 1}});
  recovery.leaveOutIncludes();
  require(recovery.text().size() == text.size()); // all keeps its place
}

void findMistakes(const std::string &text, bool fixedForm, int line, int column) {
  Mistakes mistakes(fixedForm ? "a.f" : "a.cuf", text, fixedForm, 72, true);
  mistakes.ofFile();
  Diagnostic error{
      Severity::Error, "", "expected 'END'", {"a.cuf", line, column, line, column + 1}};
  mistakes.ofSyntax(error);
  error.code = "CUF1101";
  error.message = "No explicit type declared for 'x'";
  mistakes.ofName(error);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, size_t size) {
  if (size < 3 || size > 20000)
    return 0;
  const bool fixedForm = data[0] & 1;
  const int line = 1 + data[1] % 16, column = 1 + data[2] % 80;
  const std::string text(reinterpret_cast<const char *>(data) + 3, size - 3);
  Diagnostics diagnostics;
  if (!checkText("a.cuf", text, fixedForm, 72, diagnostics))
    return 0; // no text, which nothing else sees
  readStatements(text, fixedForm);
  rewriteDialect(text, fixedForm);
  std::string opened = text;
  openConditionalLines(opened, fixedForm, {true, true});
  require(opened.size() == text.size());
  programUnits(text, fixedForm, 72);
  recover(text, fixedForm, line, column);
  findMistakes(text, fixedForm, line, column);
  const Comments comments(text, fixedForm);
  comments.above(line);
  comments.behind(line, column);
  comments.blocks();
  formSigns(text);
  unreadText(text, fixedForm, 72);
  isIncludedText("a.inc", text);
  AllowComments allowed("a.cuf", text, fixedForm, 72);
  allowed.report({}, true, diagnostics);
  diagnostics.take();
  return 0;
}
