// Which names of a statement are keywords. Fortran has no reserved words, so this follows from the
// form of the statement alone: in "if = 1" nothing is one.
#ifndef CUFLS_IDE_KEYWORDS_H
#define CUFLS_IDE_KEYWORDS_H

#include "ide/lexemes.h"

namespace cufc {

// Gives the names of all statements that are keywords the kind Keyword.
void markKeywords(Lexemes &lexemes);

// Whether a word, in lower case, is a keyword of some statement.
bool isKeywordAnywhere(std::string_view word);

// scanLexemes and markKeywords.
Lexemes lexemesOf(const Document &document, const SourceReading &reading);

} // namespace cufc
#endif // CUFLS_IDE_KEYWORDS_H
