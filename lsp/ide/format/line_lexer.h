// The tokens of one line of free form: what the formatter puts blanks between, and compares before
// and after.
//
// Strings, references to kernels with <<<...>>> and statements can go on in the next line; what the
// next line has to know of this one is in a LexerState. Reading never fails: what is no Fortran is
// a token of its own.
#ifndef CUFLS_IDE_FORMAT_LINE_LEXER_H
#define CUFLS_IDE_FORMAT_LINE_LEXER_H

#include <string_view>
#include <vector>

namespace cufc {

struct LineToken {
  enum Kind {
    Word,
    Number, // with exponent and kind
    String, // or the part of one that stands on this line
    Operator,
    Open, // ( or [
    Close,
    Comma,
    Colon,
    Semicolon,
    Ampersand, // of a continuation
    Comment,
    Launch, // <<<...>>> or the part of it on this line
    Other
  };
  Kind kind;
  size_t begin, end; // bytes of the line
  std::string_view in(std::string_view line) const { return line.substr(begin, end - begin); }
};

struct LexerState {
  char quote = 0;      // of a string that goes on
  bool launch = false; // inside of <<<...>>>
  bool broken = false; // this line ends inside of a string that does not go on
};

std::vector<LineToken> tokensOf(std::string_view line, LexerState &state);

} // namespace cufc
#endif // CUFLS_IDE_FORMAT_LINE_LEXER_H
