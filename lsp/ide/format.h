// Formatting: indentation by blocks, blanks around operators, the case of keywords.
//
// Looks at the text alone, so it serves broken code too. It never changes what a text means: each
// line has the same tokens afterwards, or stays as it was. Lines of the preprocessor and directives
// (!$cuf, !$acc, ...) keep their text, comments in column 1 and lines that hold half a string their
// place. In fixed form only statements move, between columns 7 and the last, and only if they fit.
#ifndef CUFLS_IDE_FORMAT_H
#define CUFLS_IDE_FORMAT_H

#include "ide/format/layout.h"
#include "ide/format/spacing.h"
#include <optional>

namespace cufc {

struct FormatOptions {
  int step = 2; // columns of a block
  int tabSize = 8;
  bool insertSpaces = true;
  bool trimTrailingBlanks = true;
  bool insertFinalNewline = false;
  bool trimFinalNewlines = false;
  int mostBlankLines = 2; // that stay together; 0: all
  LayoutOptions layout;
  SpacingOptions spacing;
};

// Edits of single lines, in order. Of a range its lines are formatted, as parts of the whole text.
std::vector<TextChange> format(const Document &document, const SourceReading &reading,
                               const FormatOptions &options,
                               std::optional<TextRange> range = std::nullopt);

// After a character was typed in front of `position`: a new line gets its indentation and the one
// before its format; the last letter of END DO, ELSE and the like moves their line.
std::vector<TextChange> formatOnType(const Document &document, const SourceReading &reading,
                                     const FormatOptions &options, TextPosition position,
                                     const std::string &typed);

} // namespace cufc
#endif // CUFLS_IDE_FORMAT_H
