// What can be folded: blocks and their branches, comments, groups of USE statements, continued
// statements, conditions of the preprocessor. From the text alone, so that it works on broken code.
#ifndef CUFLS_IDE_FOLDING_H
#define CUFLS_IDE_FOLDING_H

#include "ide/conditions.h"
#include "ide/query.h"

namespace cufc {

enum class FoldKind : std::uint8_t { Code, Comment, Imports, Region };

struct Fold {
  TextRange range; // from the end of what stays visible to the end of what goes
  FoldKind kind;
};

// By begin, outer before inner. With `linesOnly` a fold ends on the line before the END statement,
// which then stays visible.
std::vector<Fold> foldingRanges(const Query &query, bool linesOnly, const ReadText &read);

} // namespace cufc
#endif // CUFLS_IDE_FOLDING_H
