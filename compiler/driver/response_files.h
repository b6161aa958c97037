// Arguments that stand in files: @FILE.
#ifndef CUFC_DRIVER_RESPONSE_FILES_H
#define CUFC_DRIVER_RESPONSE_FILES_H

#include "base/diagnostics.h"
#include <string>
#include <vector>

namespace cufc {

// The arguments, with the words of a file in place of each @FILE. A file that cannot be read is
// reported; one that names itself ends there.
std::vector<std::string> withResponseFiles(const std::vector<std::string> &arguments,
                                           Diagnostics &diagnostics);

} // namespace cufc
#endif // CUFC_DRIVER_RESPONSE_FILES_H
