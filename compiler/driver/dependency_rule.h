// What a compilation writes beside its output: rules of make, listings.
#ifndef CUFC_DRIVER_DEPENDENCY_RULE_H
#define CUFC_DRIVER_DEPENDENCY_RULE_H

#include "driver/compile.h"
#include <string>
#include <vector>

namespace cufc {

// matmul.d beside matmul.o, unless -MF names another file.
std::string dependencyFile(const CompileJob &job, const Options &options);

// The output, or the targets of -MT, and the files that were read.
std::string dependencyRule(const CompileJob &job, const Options &options,
                           const std::vector<std::string> &filesRead);

// "(    7) x = 1" for each line.
std::string numberedLines(const std::string &text);

} // namespace cufc
#endif // CUFC_DRIVER_DEPENDENCY_RULE_H
