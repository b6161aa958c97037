// Where the commands keep what they can make again, and what tells that it is out of date.
#ifndef CUFLS_COMMANDS_CACHES_H
#define CUFLS_COMMANDS_CACHES_H

#include "driver/caches.h"
#include "driver/installation.h"
#include "project/scan_options.h"
#include <string>

namespace cufc {

// Changes with whatever results depend on beside sources and options: this program, the modules and
// libraries that belong to it, the toolkit.
std::string compilerIdentity(const Installation &installation);

// How commands find projects: with what is kept of folders and of builds that were asked.
ScanOptions scanOptions();

} // namespace cufc
#endif // CUFLS_COMMANDS_CACHES_H
