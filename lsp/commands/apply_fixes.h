// `cufls check --fix`: the fixes of diagnostics, applied to the files.
#ifndef CUFLS_COMMANDS_APPLY_FIXES_H
#define CUFLS_COMMANDS_APPLY_FIXES_H

#include "base/diagnostics.h"
#include <set>

namespace cufc {

// Of each diagnostic that offers exactly one fix, that fix, unless it changes what one before it
// has changed. What two diagnostics offer alike is one fix.
std::vector<Fix> fixesThatFit(const std::vector<Diagnostic> &diagnostics);

// The text with edits that do not overlap, all of this file. New lines end as those of the text do.
std::string withEdits(const std::string &text, const std::vector<TextEdit> &edits);

// Writes the files anew and adds their paths to `changed`; reports those that cannot be written.
void applyFixes(const std::vector<Fix> &fixes, std::set<std::string> &changed,
                Diagnostics &diagnostics);

// Writes a file beside and renames it, so that it is never half there; false with errno set.
bool replaceFile(const std::string &path, const std::string &text);

} // namespace cufc
#endif // CUFLS_COMMANDS_APPLY_FIXES_H
