// The lexemes of a text, in one linear pass that needs no analysis and takes any text: what
// colours, folds and selections rest on, so that they hold while one types.
//
// A lexeme lies within a line; a string that is continued gives one for each line. Lexemes are
// sorted and do not overlap. Fortran has no reserved words: which names are keywords follows from
// the statement (keywords.h).
#ifndef CUFLS_IDE_LEXEMES_H
#define CUFLS_IDE_LEXEMES_H

#include "index/workspace.h"
#include <string>
#include <vector>

namespace cufc {

enum class LexemeKind : std::uint8_t {
  Name,
  Keyword,
  Number, // without the name of its kind
  String, // with its quotes
  Comment,
  Operator,    // with letters too: ".and."
  Punctuation, // ( ) , ; : :: % & [ ] and what belongs nowhere
  Label,
  Sentinel,     // "!$cuf", and whole directives of others
  Preprocessor, // "#if"
  Macro,        // the name in #define, #ifdef and the like
};

struct Lexeme {
  int line, column, endColumn; // from 1, in bytes, end exclusive
  LexemeKind kind;
  std::uint32_t offset; // in the text
  TextRange range() const { return {{line, column}, {line, endColumn}}; }
};

// A statement, CUF directive or preprocessor directive: `end` is one behind its last lexeme.
// Comments behind and between its lines are among its lexemes.
struct StatementSpan {
  enum Kind : std::uint8_t { Statement, Directive, Preprocessor };
  size_t first, end;
  Kind kind = Statement;
};

struct Lexemes {
  std::vector<Lexeme> all;
  std::vector<StatementSpan> statements; // in order; comment lines are in none
  const Document *document = nullptr;    // must outlive this

  std::string_view textOf(const Lexeme &lexeme) const {
    return std::string_view(document->text())
        .substr(lexeme.offset, static_cast<size_t>(lexeme.endColumn - lexeme.column));
  }
  bool isCharacter(const Lexeme &lexeme, char what) const {
    return lexeme.endColumn == lexeme.column + 1 && document->text()[lexeme.offset] == what;
  }
  // In lower case.
  std::string wordOf(const Lexeme &lexeme) const;
  // The numbers of a statement's lexemes, without comments and "&".
  std::vector<size_t> code(const StatementSpan &statement) const;
  // From its first lexeme to its last but for comments.
  TextRange rangeOf(const StatementSpan &statement) const;
  // Without label and comments, lines joined.
  std::string joined(const StatementSpan &statement) const;
  // The first lexeme that ends behind a position.
  size_t firstBehind(TextPosition position) const;
  // The statement in or after which a position is; -1 if none.
  int statementAt(TextPosition position) const;
};

// Without keywords; `lexemes` in keywords.h finds those too.
Lexemes scanLexemes(const Document &document, const SourceReading &reading);

} // namespace cufc
#endif // CUFLS_IDE_LEXEMES_H
