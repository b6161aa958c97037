// How a syntax error may be mended: a keyword that is misspelled, an END that is missing. By the
// text around the place of the error, no flang. Private to frontend/.
#ifndef CUFC_FRONTEND_SYNTAX_FIXES_H
#define CUFC_FRONTEND_SYNTAX_FIXES_H

#include "base/diagnostics.h"
#include "base/source_text.h"
#include <vector>

namespace cufc {

// Adds a fix, and where a keyword is misspelled says so instead. `error` is what reduceSyntaxErrors
// has left, with flang's text.
void explainSyntaxError(Diagnostic &error, SourceLines &lines);

// Drops the errors at ELSE and END statements that follow an error in the beginning of an IF or DO
// construct: flang does not know that it has begun.
void dropUnopenedEnds(std::vector<Diagnostic> &errors, SourceLines &lines);

} // namespace cufc
#endif // CUFC_FRONTEND_SYNTAX_FIXES_H
