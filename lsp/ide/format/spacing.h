// Blanks between the tokens of a line, and the case of keywords.
//
// Blanks are only added, so that what somebody has aligned stays. Nothing is put where a token
// could come apart: next to the mark of a continuation.
#ifndef CUFLS_IDE_FORMAT_SPACING_H
#define CUFLS_IDE_FORMAT_SPACING_H

#include "ide/format/line_lexer.h"
#include <map>
#include <set>
#include <string>

namespace cufc {

enum class KeywordCase { Keep, Lower, Upper };

struct SpacingOptions {
  bool operators = true; // blanks around operators and behind commas
  KeywordCase keywords = KeywordCase::Keep;
  std::set<std::string> macros; // names that the preprocessor knows: never changed
};

// What a statement's next line has to know.
struct SpacingState {
  LexerState lexer;
  int depth = 0;               // of parentheses
  bool operand = false;        // the last token ends an operand, so that "-" is binary
  bool beginsStatement = true; // the next token
  bool declaration = false;    // the statement may be one, up to "::"
  bool verbatim = false;       // FORMAT
};

// A line without blanks at its begin and end, spaced; the same line if it ends in a broken string
// or if anything but blanks and the case of keywords would change.
std::string spaced(std::string_view line, SpacingState &state, const SpacingOptions &options);

// Whether two lines have the same tokens, but for the case of words if `anyCase`. Comments are
// compared without blanks at their ends.
bool sameTokens(std::string_view a, std::string_view b, LexerState state, bool anyCase);

} // namespace cufc
#endif // CUFLS_IDE_FORMAT_SPACING_H
