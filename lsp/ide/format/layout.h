// What each line of a text is, and how deep its blocks make it: what indentation follows from.
#ifndef CUFLS_IDE_FORMAT_LAYOUT_H
#define CUFLS_IDE_FORMAT_LAYOUT_H

#include "index/workspace.h"
#include "source/blocks.h"

namespace cufc {

struct LineLayout {
  enum Kind : std::uint8_t {
    Blank,
    Comment,      // and nothing else; directives too
    Preprocessor, // with the lines that continue it
    Statement,    // one begins here
    Continuation, // of the statement at `first`
  };
  Kind kind = Blank;
  int depth = 0;       // in steps of indentation
  int first = 0;       // line at which the statement of a continuation begins
  StatementRole role;  // of the statement that begins here
  bool format = false; // a FORMAT statement
};

struct LayoutOptions {
  bool moduleBody = true;    // indent what stands in a program unit
  bool containsBody = true;  // and the procedures behind its CONTAINS
  bool caseBranches = false; // indent CASE in SELECT
};

struct Layout {
  std::vector<LineLayout> lines; // line 1 is element 0
  int depthAtEnd = 0;            // of a line behind the last one
  bool endContinues = false;     // the last line ends with "&"
  // Whether the last statement leaves a construct or the like open: what a plain END would close.
  Block openAtEnd = Block::None;
};

// As roleOf, but quick for the statements that neither open nor close anything, which most are.
StatementRole quickRoleOf(std::string_view statement, bool inInterface);

// `lastLine` is the last one that is looked at; 0 means all.
Layout layoutOf(const Document &document, const SourceReading &reading,
                const LayoutOptions &options, int lastLine = 0);

} // namespace cufc
#endif // CUFLS_IDE_FORMAT_LAYOUT_H
