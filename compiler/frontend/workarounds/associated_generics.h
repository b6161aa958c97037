// Generic names with components of device objects, and with sections of device data that ASSOCIATE
// names. Private to frontend/.
#ifndef CUFC_FRONTEND_ASSOCIATED_GENERICS_H
#define CUFC_FRONTEND_ASSOCIATED_GENERICS_H

#include "flang/Parser/parse-tree.h"
#include "flang/Semantics/semantics.h"

namespace cufc {

// Before expressions are analysed: where an argument of a generic procedure is a name of ASSOCIATE,
// SELECT TYPE or SELECT RANK that stands for a part of device data, or a component of a device
// object, the call names the specific procedure for such data. flang resolves the name as if the
// argument were data of the host.
void resolveAssociatedGenerics(const Fortran::parser::Program &program,
                               Fortran::semantics::SemanticsContext &context);

} // namespace cufc
#endif // CUFC_FRONTEND_ASSOCIATED_GENERICS_H
