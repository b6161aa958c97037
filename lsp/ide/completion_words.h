// Completion of the language's own words: keywords, attributes, directives, END statements,
// snippets.
#ifndef CUFLS_IDE_COMPLETION_WORDS_H
#define CUFLS_IDE_COMPLETION_WORDS_H

#include "ide/completion_items.h"

namespace cufc {

void statementWords(CompletionItems &items); // that begin a statement
void snippetItems(CompletionItems &items);
void attributeWords(CompletionItems &items); // of a declaration
void typeAttributeWords(CompletionItems &items);
void procedurePrefixes(CompletionItems &items); // attributes(...) of a procedure
void directiveWords(CompletionItems &items, const CursorContext &context);
// "name=" of I/O statements, ALLOCATE and their like; false for other words.
bool specifierWords(CompletionItems &items, const std::string &statement);
// The END statement of the innermost block that is open at the cursor.
void endStatement(CompletionItems &items, const Query &query, const CursorContext &context);

} // namespace cufc
#endif // CUFLS_IDE_COMPLETION_WORDS_H
