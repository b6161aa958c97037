// Where what can be made again is kept.
#ifndef CUFC_DRIVER_CACHES_H
#define CUFC_DRIVER_CACHES_H

#include <string>

namespace cufc {

// A folder of this name in $XDG_CACHE_HOME/cufls, ~/.cache/cufls or, without a home, the folder for
// temporary files. It need not be there yet.
std::string cacheFolder(const std::string &name);

// The same if one can write there, or a folder of this user in the folder for temporary files.
std::string writableCacheFolder(const std::string &name);

// From now on modules of gfortran that are translated are kept, for this executable.
void keepTranslatedModules();

} // namespace cufc
#endif // CUFC_DRIVER_CACHES_H
