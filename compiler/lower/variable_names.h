// Names of variables of HLFIR, for messages while a program runs. Private to lower/.
#ifndef CUFC_LOWER_VARIABLE_NAMES_H
#define CUFC_LOWER_VARIABLE_NAMES_H

#include "mlir/IR/Value.h"
#include <string>

namespace cufc {

// The variable or named constant of an address, a descriptor's place or a designator as the source
// calls it, "part%values"; empty for temporaries.
std::string variableName(mlir::Value variable);

} // namespace cufc
#endif // CUFC_LOWER_VARIABLE_NAMES_H
