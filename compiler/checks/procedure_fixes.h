// Fixes that give a procedure its attributes. Private to checks/.
#ifndef CUFC_CHECKS_PROCEDURE_FIXES_H
#define CUFC_CHECKS_PROCEDURE_FIXES_H

#include "checks/fixes.h"

namespace cufc {

// Gives a procedure of this file that has none attributes("global"), or "device".
std::optional<Fix> makeProcedure(const CheckContext &context,
                                 const Fortran::semantics::Symbol &procedure,
                                 const std::string &attribute);

} // namespace cufc
#endif // CUFC_CHECKS_PROCEDURE_FIXES_H
