// Extents of dummy arguments that other compilers take beyond the standard. Private to frontend/.
#ifndef CUFC_FRONTEND_LENIENT_EXTENTS_H
#define CUFC_FRONTEND_LENIENT_EXTENTS_H

#include "flang/Parser/parse-tree.h"
#include "flang/Semantics/semantics.h"

namespace cufc {

// Before names are resolved: a dummy array whose last extent is a local variable has assumed size.
void replaceLocalExtents(const Fortran::parser::Program &program,
                         Fortran::semantics::SemanticsContext &context);

} // namespace cufc
#endif // CUFC_FRONTEND_LENIENT_EXTENTS_H
