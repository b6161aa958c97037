// Errors that are there only because a part of the text was left out (source/recovery.h).
#ifndef CUFC_FRONTEND_CONSEQUENCES_H
#define CUFC_FRONTEND_CONSEQUENCES_H

#include "base/diagnostics.h"
#include "source/recovery.h"
#include <vector>

namespace cufc {

// Drops all but errors; of errors those at what was left out, those that name something in it, and
// in turn those that name what a statement declares at which an error has been dropped. Nothing is
// left if a USE statement was lost, since any name can be missing then.
void dropConsequences(const Recovery &recovery, const std::string &path, const std::string &text,
                      std::vector<Diagnostic> &diagnostics);

} // namespace cufc
#endif // CUFC_FRONTEND_CONSEQUENCES_H
