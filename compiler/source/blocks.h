// Which statements open and close program units and constructs, by their words alone.
#ifndef CUFC_SOURCE_BLOCKS_H
#define CUFC_SOURCE_BLOCKS_H

#include <string>
#include <string_view>

namespace cufc {

enum class Block {
  None,
  Program,
  Module,
  Submodule,
  BlockData,
  Subroutine,
  Function,
  Procedure, // MODULE PROCEDURE with a body
  Interface,
  Type,
  Enum,
  Do,
  If,
  Select,
  Where,
  Forall,
  Associate,
  Block,
  Critical,
  Team,
};

bool isProcedure(Block block);
bool isUnit(Block block); // program units and procedures

// What ends a block: "end do".
const char *endOf(Block block);

struct StatementRole {
  enum Kind { Other, Opens, Closes, Contains, Branch };
  Kind kind = Other;
  Block block = Block::None;    // None of Closes: a plain END
  size_t name = 0, nameEnd = 0; // of Opens: where the name stands in the text, if there is one
};

// `inInterface` tells a procedure statement from a separate module procedure.
StatementRole roleOf(std::string_view statement, bool inInterface);

} // namespace cufc
#endif // CUFC_SOURCE_BLOCKS_H
