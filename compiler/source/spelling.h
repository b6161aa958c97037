// Names in messages as the user wrote them: flang knows them in lower case.
#ifndef CUFC_SOURCE_SPELLING_H
#define CUFC_SOURCE_SPELLING_H

#include "base/diagnostics.h"
#include <string>
#include <vector>

namespace cufc {

// Puts the spelling of the source into what messages, notes and fixes have in quotes, and into the
// edits of fixes: that of the place of the diagnostic, otherwise that of the first place in the
// text (where things are declared), otherwise that of documentation for names that come with the
// compiler. `file` is the path of `text` in the diagnostics.
void restoreSpelling(std::vector<Diagnostic> &diagnostics, const std::string &file,
                     const std::string &text);

} // namespace cufc
#endif // CUFC_SOURCE_SPELLING_H
