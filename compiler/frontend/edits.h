// Edits of the text that flang parses: what flang does not take is written in another way, and the
// source is analysed again. Private to frontend/.
#ifndef CUFC_FRONTEND_EDITS_H
#define CUFC_FRONTEND_EDITS_H

#include "frontend/flang_program.h"

namespace cufc {

// Insertions into the characters between prescanning and parsing (cooked_text.h), where include
// files, macros and continuation lines make no difference. None is lost: one that cannot be made is
// an error (CUF0294).
class EditList {
public:
  using CharBlock = Fortran::parser::CharBlock;

  EditList(const FlangProgram &program, Diagnostics &diagnostics)
      : program(program), diagnostics(diagnostics) {}

  // False if it cannot be made. `construct` is what the edit is made for.
  bool before(CharBlock construct, std::string text);
  bool behind(CharBlock construct, std::string text);
  // Both or none.
  bool around(CharBlock construct, std::string opening, std::string closing);
  // Inside of `construct`: before the character there.
  bool inside(CharBlock construct, const char *place, std::string text);
  // Says that an edit for `construct` cannot be made.
  void refuse(CharBlock construct, const std::string &name);

  // In the order of the text.
  std::vector<Edit> take();

private:
  bool mayEdit(CharBlock construct);
  void add(const char *place, std::string text);

  const FlangProgram &program;
  Diagnostics &diagnostics;
  std::vector<Edit> edits;
  int wanted = 0;
};

// For tests that refuse edits: -D__cufc_refuse_edit__=N gives the number of the edit that cannot be
// made, or everyEdit, or everyDialectEdit for those that are made before the analysis.
constexpr int noEdit = 0, everyEdit = -1, everyDialectEdit = -2;
int refusedEdit(const FlangProgram &program);

// The column of the source as it was written of a place that flang names: for an editor, text may
// have been inserted into the source that does not parse.
int originalColumn(const FlangProgram &program, const std::string &path, int line, int column);

// In fixed form, drops what lies beyond the columns that are read.
void cutLines(std::string &text, size_t columns);

} // namespace cufc
#endif // CUFC_FRONTEND_EDITS_H
