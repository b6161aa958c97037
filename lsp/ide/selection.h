// Growing selections, and names that are edited together: both from the text alone.
#ifndef CUFLS_IDE_SELECTION_H
#define CUFLS_IDE_SELECTION_H

#include "ide/query.h"

namespace cufc {

// For each position the ranges around it, the smallest first, each within the next: the word, parts
// of the expression, the statement, the blocks, the file.
std::vector<std::vector<TextRange>> selectionRanges(const Query &query,
                                                    const std::vector<TextPosition> &positions);

// The name of a block where it is opened and ended, and of a construct in EXIT and CYCLE; empty if
// the cursor is at no such name.
std::vector<TextRange> linkedNames(const Query &query);

} // namespace cufc
#endif // CUFLS_IDE_SELECTION_H
