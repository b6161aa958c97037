// The folders in which files are looked for that a source names. Free of flang's types.
#ifndef CUFC_FRONTEND_SEARCH_FOLDERS_H
#define CUFC_FRONTEND_SEARCH_FOLDERS_H

#include "frontend/program.h"

namespace cufc {

// Of module files, in the order of the search, as the options name them.
std::vector<std::string> moduleFolders(const FrontendOptions &settings);
// Of included files, in that order. A file that is included itself looks in its own folder first.
std::vector<std::string> includeFolders(const FrontendOptions &settings);

} // namespace cufc
#endif // CUFC_FRONTEND_SEARCH_FOLDERS_H
