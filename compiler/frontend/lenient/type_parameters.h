// Declarations of type parameters that stand behind PRIVATE, SEQUENCE or components of their type.
// Private to frontend/.
#ifndef CUFC_FRONTEND_TYPE_PARAMETERS_H
#define CUFC_FRONTEND_TYPE_PARAMETERS_H

#include "source/dialect_rewrite.h"
#include <string>
#include <vector>

namespace cufc {

// In prescanned text: takes such declarations away, and gives insertions that put them behind the
// TYPE statement, where F2023 R726 wants them. nvfortran takes them anywhere.
std::vector<Edit> typeParametersFirst(std::string &text);

} // namespace cufc
#endif // CUFC_FRONTEND_TYPE_PARAMETERS_H
