// File name patterns: * and ? within a name, [a-z], and ** for any number of folders.
#ifndef CUFC_PROJECT_GLOB_H
#define CUFC_PROJECT_GLOB_H

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace cufc {

bool isPattern(std::string_view text);

// Whether a whole path, with '/' between names, fits a pattern. Names that begin with a dot fit
// only where the pattern has that dot.
bool matchesPattern(std::string_view pattern, std::string_view path);

// The files under `folder` that fit, as paths relative to it, sorted. ** passes hidden folders and
// those that `skip` names (by their path relative to `folder`), and follows no links to folders.
std::vector<std::string> expandPattern(const std::string &folder, const std::string &pattern,
                                       const std::function<bool(const std::string &)> &skip);

} // namespace cufc
#endif // CUFC_PROJECT_GLOB_H
