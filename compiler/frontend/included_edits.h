// Edits in files that a source includes: the edited text stands in the source, in the place of the
// line that includes the file. Private to frontend/.
#ifndef CUFC_FRONTEND_INCLUDED_EDITS_H
#define CUFC_FRONTEND_INCLUDED_EDITS_H

#include "frontend/flang_program.h"
#include <functional>

namespace cufc {

// Files that the source includes itself and that `editsOf` has edits for, or that have spellings
// which rewriteDialect knows: for each line that includes one, an insertion into the source.
std::vector<Edit>
editsOfIncludedFiles(const FlangProgram &program, bool fixedForm, int fixedColumns,
                     const std::function<std::vector<Edit>(const std::string &path)> &editsOf);

// The files of which the rewritten source holds an edited text.
std::vector<std::string> includedFilesIn(const Rewrite &rewrite);

// The column in the file as it was written of a place in flang's text.
int originalColumn(const FlangProgram &program, const std::string &path, int line, int column);

// In fixed form, drops what lies beyond the columns that are read.
void cutLines(std::string &text, size_t columns);

} // namespace cufc
#endif // CUFC_FRONTEND_INCLUDED_EDITS_H
