// Program units, procedures and constructs of a text, by its statements alone, so that they are
// known while it is broken. Lines of the preprocessor's inactive branches are part of the text
// here.
#ifndef CUFLS_IDE_BLOCK_TREE_H
#define CUFLS_IDE_BLOCK_TREE_H

#include "ide/lexemes.h"
#include "source/blocks.h"

namespace cufc {

struct TextBlock {
  Block kind = Block::None;
  int parent = -1;
  int open = -1;  // number of the statement that opens it; -1: a main program without one
  int first = -1; // then the first of its statements
  int close = -1; // of its END statement; -1 if that is missing
  int last = -1;  // of the last statement in it, its END included
  // Numbers of lexemes, -1 if there is none: its name, and the name in its END statement.
  int name = -1, endName = -1;
  bool named = false;        // a construct with a name before its statement
  std::vector<int> branches; // statements: ELSE, CASE and their like, and CONTAINS
  std::vector<int> nameUses; // lexemes: of a construct, in CYCLE and EXIT
};

// Outer before inner, by begin.
std::vector<TextBlock> textBlocks(const Lexemes &lexemes);

// The first and last place of a block.
TextRange rangeOf(const TextBlock &block, const Lexemes &lexemes);

// The innermost block whose statements are around a statement; -1 if none.
int blockAround(const std::vector<TextBlock> &blocks, int statement);

} // namespace cufc
#endif // CUFLS_IDE_BLOCK_TREE_H
