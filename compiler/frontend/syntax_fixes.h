// How a syntax error may be mended: a keyword that is misspelled, an END that is missing. By the
// text around the place of the error, no flang. Private to frontend/.
#ifndef CUFC_FRONTEND_SYNTAX_FIXES_H
#define CUFC_FRONTEND_SYNTAX_FIXES_H

#include "base/diagnostics.h"
#include <vector>

namespace cufc {

// Adds a fix, and where a keyword is misspelled says so instead. `error` is what reduceSyntaxErrors
// has left, with flang's text.
void explainSyntaxError(Diagnostic &error);

// Drops the errors at ELSE and END IF of IF constructs whose THEN is misspelled, which are
// explained already.
void dropUnopenedEnds(std::vector<Diagnostic> &errors);

} // namespace cufc
#endif // CUFC_FRONTEND_SYNTAX_FIXES_H
