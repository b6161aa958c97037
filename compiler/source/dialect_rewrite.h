// Spellings of CUDA Fortran that flang's parser does not take, rewritten to ones it does.
#ifndef CUFC_SOURCE_DIALECT_REWRITE_H
#define CUFC_SOURCE_DIALECT_REWRITE_H

#include <string>
#include <vector>

namespace cufc {

// Bytes inserted into one line: columns after `column` (1-based, in the original) moved right by
// `length`.
struct Insertion {
  int line;
  int column;
  int length;
};

// Text to insert before a column (1-based) of the original.
struct Edit {
  int line;
  int column;
  std::string text;
};

struct Rewrite {
  std::string text;
  bool changed = false;              // whether `text` differs from the original
  std::vector<Insertion> insertions; // in the order of the text

  // The column in the original of a column in `text`.
  int originalColumn(int line, int column) const;
};

// Rewrites:
//   - a launch configuration of a CUF kernel directive whose first token is "(": flang takes the
//     parenthesis for a list, so `<<< (n+31)/32, 32>>>` becomes `<<<+ (n+31)/32, 32>>>`, unless the
//     parenthesis does hold a list;
//   - the sentinel !@cuf, which makes a line part of the program where CUDA is on, becomes blanks;
//   - !pgi$ ignore_tkr becomes !dir$ ignore_tkr; `edits`, in the order of the text, are applied.
Rewrite rewriteDialect(const std::string &text, bool fixedForm,
                       const std::vector<Edit> &edits = {});

} // namespace cufc
#endif // CUFC_SOURCE_DIALECT_REWRITE_H
