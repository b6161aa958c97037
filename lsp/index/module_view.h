// Files that show the interface of a module whose source is not in the workspace. They lie in the
// server's cache, and nothing in them is the user's.
#ifndef CUFLS_INDEX_MODULE_VIEW_H
#define CUFLS_INDEX_MODULE_VIEW_H

#include <string_view>

namespace cufc {

constexpr std::string_view moduleViewsFolder = "interfaces"; // beside that of the analyses

inline bool isModuleView(std::string_view path) {
  return path.find("/cufls/interfaces/") != std::string_view::npos;
}

} // namespace cufc
#endif // CUFLS_INDEX_MODULE_VIEW_H
