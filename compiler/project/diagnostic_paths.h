// Paths in diagnostics of another process, which names files as seen from its folder.
#ifndef CUFC_PROJECT_DIAGNOSTIC_PATHS_H
#define CUFC_PROJECT_DIAGNOSTIC_PATHS_H

#include "base/diagnostics.h"

namespace cufc {

// All of them, also of related places and fixes, become full paths.
void completePaths(Diagnostic &diagnostic, const std::string &directory);

} // namespace cufc
#endif // CUFC_PROJECT_DIAGNOSTIC_PATHS_H
