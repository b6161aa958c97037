// What is said of a source that uses modules whose own sources have errors.
#ifndef CUFC_SERVICE_MISSING_MODULES_H
#define CUFC_SERVICE_MISSING_MODULES_H

#include "analysis/analysis.h"
#include "project/source_graph.h"
#include <functional>

namespace cufc {

// The modules that another source of the project makes, or null if that is not known yet.
using InterfacesOf = std::function<const std::vector<ModuleInterface> *(size_t source)>;

// Modules that errors keep from being made are missing for those who use them, whether an older
// module file is there or not. That is said once for each, in place of all that may come of it, and
// the source's own modules count as missing too. Of modules that several sources define, where
// nobody knows which one is meant, it is said also. A module that errors have cost some of its
// declarations gives the others; that is said too. Nothing changes if all modules are there.
void sayMissingModules(const Project &project, const SourceGraph &graph, size_t source,
                       const InterfacesOf &interfacesOf, Analysis &analysis);

} // namespace cufc
#endif // CUFC_SERVICE_MISSING_MODULES_H
