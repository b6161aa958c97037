// The words of OpenMP's directives at the cursor, by the table: which directive a line has, its
// clauses, and what may stand in their parentheses. No knowledge of what is compiled with -mp.
#ifndef CUFLS_IDE_OPENMP_WORDS_H
#define CUFLS_IDE_OPENMP_WORDS_H

#include "ide/completion_items.h"

namespace cufc {

// The directive or clause that the word before the cursor is a part of; null for names in clauses.
// `rest` is the line's text behind the cursor.
const ApiEntry *openmpWord(const CursorContext &context, const std::string &rest,
                           const ApiTable &api);

void openmpWords(CompletionItems &items, const CursorContext &context, const ApiTable &api);

} // namespace cufc
#endif // CUFLS_IDE_OPENMP_WORDS_H
