// Modules that come with the compiler, by name.
#ifndef CUFC_PROJECT_COMPILER_MODULES_H
#define CUFC_PROJECT_COMPILER_MODULES_H

#include <string_view>

namespace cufc {

// One that cufc always has: a file of this name that merely lies somewhere takes no part.
bool isCompilerModule(std::string_view name);
// One of MPI, for which many codes bring a stand-in: it is meant by its own folder alone.
bool isMpiModule(std::string_view name);

} // namespace cufc
#endif // CUFC_PROJECT_COMPILER_MODULES_H
