// What a USE statement without a list makes visible. Private to frontend/.
#ifndef CUFC_FRONTEND_EXPORTED_NAMES_H
#define CUFC_FRONTEND_EXPORTED_NAMES_H

#include "flang/Semantics/semantics.h"
#include <set>
#include <string>
#include <string_view>

namespace cufc {

// The public names of a module that has been read or defined, as ONLY lists have them; none if
// there is no such module.
std::set<std::string> exportedNames(Fortran::semantics::SemanticsContext &context,
                                    std::string_view module, bool intrinsic);

} // namespace cufc
#endif // CUFC_FRONTEND_EXPORTED_NAMES_H
