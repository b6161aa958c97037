// What stands at the cursor, by the words of its statement alone: works on text that no parser
// takes.
#ifndef CUFLS_IDE_CURSOR_CONTEXT_H
#define CUFLS_IDE_CURSOR_CONTEXT_H

#include "ide/query.h"

namespace cufc {

struct Token {
  enum Kind { Name, Number, String, Operator };
  Kind kind = Operator;
  std::string text; // lower case, except in strings
  size_t begin = 0; // in the statement

  bool is(std::string_view other) const { return kind != String && text == other; }
};

// A bracket that is open at the cursor.
struct OpenBracket {
  char kind = '(';               // '(', '[' or '<' for "<<<"
  size_t token = 0;              // of the bracket
  size_t argumentBegin = 0;      // the first token of the argument that the cursor is in
  int argument = 0;              // its number, from 0
  std::string keyword;           // of "keyword = value", if it has one
  std::vector<std::string> used; // keywords of the arguments before it
};

struct CursorContext {
  bool code = false;             // false in comments, character constants, preprocessor lines
  bool directive = false;        // in a line !$cuf; the statement is what stands behind that
  bool openmp = false;           // likewise in a line !$omp
  std::string statement;         // up to the cursor, continuation lines joined
  std::vector<Token> tokens;     // of it, without the word at the cursor
  std::string prefix;            // that word up to the cursor, as written
  TextRange word;                // all of it
  char next = 0;                 // what stands behind it on the line, after blanks
  std::vector<OpenBracket> open; // outer before inner
  TextPosition begin;            // of the statement

  bool startsWith(std::string_view word) const { return !tokens.empty() && tokens[0].is(word); }
  const Token *last() const { return tokens.empty() ? nullptr : &tokens.back(); }
};

CursorContext cursorContext(const SourceFile &file, TextPosition position);

// Lower case; an open character constant is the last token.
std::vector<Token> tokensOf(std::string_view statement, bool *openString = nullptr);

// The names of "a%b(i)%c" that end before a token; empty if no name stands there. A launch
// configuration counts as part of the name before it.
struct Designator {
  std::vector<std::string> names;
  size_t begin = 0; // its first token
};
Designator designatorBefore(const std::vector<Token> &tokens, size_t end);

} // namespace cufc
#endif // CUFLS_IDE_CURSOR_CONTEXT_H
