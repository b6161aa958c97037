// The names of kernels as users know them. Private to lower/.
#ifndef CUFC_LOWER_DISPLAY_NAME_H
#define CUFC_LOWER_DISPLAY_NAME_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace cufc {

// "solver::step" for _QMsolverPstep.
std::string displayName(llvm::StringRef symbol);

// On kernels that directives became: a string, "solver::step, line 27".
inline constexpr const char *displayAttribute = "cufc.display";

} // namespace cufc
#endif // CUFC_LOWER_DISPLAY_NAME_H
