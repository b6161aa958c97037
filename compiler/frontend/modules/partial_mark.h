// How a module file says that declarations are missing in it. Private to frontend/.
#ifndef CUFC_FRONTEND_PARTIAL_MARK_H
#define CUFC_FRONTEND_PARTIAL_MARK_H

#include <string>
#include <string_view>

namespace cufc {

// A private name of such a module; any name may be one of those that are missing.
constexpr std::string_view partialMark = "cufc_partial";

// The text of a module file, without its header, with the mark. That of a submodule, which has no
// private names, stays as it is.
std::string markedPartial(std::string_view moduleFile);

} // namespace cufc
#endif // CUFC_FRONTEND_PARTIAL_MARK_H
