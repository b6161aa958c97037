// What a compilation has read, in a rule of make that cufc -MD writes (driver/dependency_rule.h).
#ifndef CUFC_PROJECT_DEPENDENCY_FILE_H
#define CUFC_PROJECT_DEPENDENCY_FILE_H

#include <string>
#include <string_view>
#include <vector>

namespace cufc {

// The names behind the colon.
std::vector<std::string> namesInRule(std::string_view text);

} // namespace cufc
#endif // CUFC_PROJECT_DEPENDENCY_FILE_H
