// Text that looks as if the compiler read it, and that it takes for a comment: directives whose
// mark is misspelt or in a column where it counts for nothing, and statements of fixed form that go
// on behind the last column.
#ifndef CUFC_SOURCE_UNREAD_TEXT_H
#define CUFC_SOURCE_UNREAD_TEXT_H

#include <string>
#include <string_view>
#include <vector>

namespace cufc {

struct UnreadText {
  int line;
  int column; // from 1, in bytes
  std::string_view text;
  std::string wanted; // what to write instead of it; empty behind the last column
};

// `fixedColumns`: the last column of fixed form. The results point into `text`.
std::vector<UnreadText> unreadText(std::string_view text, bool fixedForm, int fixedColumns);

} // namespace cufc
#endif // CUFC_SOURCE_UNREAD_TEXT_H
