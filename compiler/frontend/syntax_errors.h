// Fewer messages for one syntax error.
#ifndef CUFC_FRONTEND_SYNTAX_ERRORS_H
#define CUFC_FRONTEND_SYNTAX_ERRORS_H

#include "base/diagnostics.h"
#include <vector>

namespace cufc {

// flang's parser tells of every alternative of the grammar that it tried. This keeps, of each line:
// what is not "expected ..." or "end of file", or else the place that the parser got farthest to,
// its alternatives joined to one message, and the end of the file if it came there. An "end of
// file" is dropped after errors in other lines, as is an error without a place beside one that has
// a place.
void reduceSyntaxErrors(std::vector<Diagnostic> &errors);

} // namespace cufc
#endif // CUFC_FRONTEND_SYNTAX_ERRORS_H
