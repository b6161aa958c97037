// Where the modules of well-known libraries come from, for messages about a module that is not
// there.
#ifndef CUFC_BASE_MODULE_PACKAGES_H
#define CUFC_BASE_MODULE_PACKAGES_H

#include <string>
#include <string_view>

namespace cufc {

// What goes on behind such a message, or nothing: the package that brings the module, or its folder
// where that is installed. The name is in lower case.
std::string moduleOrigin(std::string_view module);

} // namespace cufc
#endif // CUFC_BASE_MODULE_PACKAGES_H
