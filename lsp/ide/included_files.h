// The lines of a text that include others, and what is wrong in those others.
#ifndef CUFLS_IDE_INCLUDED_FILES_H
#define CUFLS_IDE_INCLUDED_FILES_H

#include "base/diagnostics.h"
#include "ide/conditions.h"
#include "ide/lexemes.h"

namespace cufc {

struct Include {
  TextRange range; // of the name, without quotes
  std::string name, file;
};

// Nothing if a statement is no INCLUDE or #include, or its file is not there.
std::optional<Include> includeOf(const StatementSpan &statement, const Lexemes &lexemes,
                                 const std::string &path, const SourceReading &reading,
                                 const ReadText &read);

// Errors in files that a text includes, by itself or through others, become errors at its INCLUDE:
// the first of each, with its place as what belongs to it, since nothing else tells who opened the
// text alone. Other diagnostics stay as they are.
void showAtIncludes(std::vector<Diagnostic> &list, const Document &document,
                    const std::string &path, const SourceReading &reading, const ReadText &read);

} // namespace cufc
#endif // CUFLS_IDE_INCLUDED_FILES_H
