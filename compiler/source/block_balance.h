// What is missing and what is too much for blocks of statements to nest.
#ifndef CUFC_SOURCE_BLOCK_BALANCE_H
#define CUFC_SOURCE_BLOCK_BALANCE_H

#include "source/dialect_rewrite.h"
#include "source/statements.h"
#include <vector>

namespace cufc {

struct BlockBalance {
  std::vector<Edit> insertions;  // END statements and CONTAINS, in the order of the text
  std::vector<size_t> strays;    // statements that close nothing
  std::vector<size_t> plainEnds; // END SUBROUTINE of a function and the like
};

BlockBalance balanceBlocks(const std::vector<Statement> &statements);

} // namespace cufc
#endif // CUFC_SOURCE_BLOCK_BALANCE_H
