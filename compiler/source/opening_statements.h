// Broken statements that open a block, reduced to what tells the block and its name.
#ifndef CUFC_SOURCE_OPENING_STATEMENTS_H
#define CUFC_SOURCE_OPENING_STATEMENTS_H

#include "source/blocks.h"
#include <optional>
#include <string>

namespace cufc {

struct ReducedStatement {
  std::string text;   // as long as the original
  std::string behind; // what is missing behind it
};

// "subroutine s(a, b" becomes "subroutine s(a, b" and ")". Names stay where they are. Nothing if so
// little is there that the statement is better left out.
std::optional<ReducedStatement> reducedOpening(const std::string &text, const StatementRole &role);

} // namespace cufc
#endif // CUFC_SOURCE_OPENING_STATEMENTS_H
