// Which file a name of a project means, for who has no server: as the server decides.
#ifndef CUFLS_HOST_PROJECT_DEFINITIONS_H
#define CUFLS_HOST_PROJECT_DEFINITIONS_H

#include "base/diagnostics.h"
#include "index/workspace.h"
#include "project/scan_options.h"
#include <memory>

namespace cufc {

// Of the project of a folder; never null. Mistakes in its project file are reported.
std::unique_ptr<Definitions> definitionsOf(const std::string &folder, const ScanOptions &scan,
                                           Diagnostics &diagnostics);

} // namespace cufc
#endif // CUFLS_HOST_PROJECT_DEFINITIONS_H
