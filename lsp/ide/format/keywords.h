// Which words of a statement are keywords. Fortran reserves none, so it is only said of those whose
// place tells; the others keep their case.
#ifndef CUFLS_IDE_FORMAT_KEYWORDS_H
#define CUFLS_IDE_FORMAT_KEYWORDS_H

#include <string>
#include <string_view>

namespace cufc {

struct KeywordContext {
  std::string word, previous; // lower case; empty at the begin of a line
  std::string_view next;      // empty at the end of a line
  int depth = 0;              // of parentheses
  bool beginsStatement = false;
  bool declaration = false; // the statement may be one, and "::" has not come
  bool assignment = false;  // "word ... =" is one
  bool last = false;        // of the statement, on this line
};

bool isKeyword(const KeywordContext &context);

} // namespace cufc
#endif // CUFLS_IDE_FORMAT_KEYWORDS_H
