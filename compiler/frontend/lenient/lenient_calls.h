// Calls that other compilers take without an explicit interface or with arguments of another kind,
// changed in flang's tree and symbols. Private to frontend/.
#ifndef CUFC_FRONTEND_LENIENT_CALLS_H
#define CUFC_FRONTEND_LENIENT_CALLS_H

#include "flang/Parser/parse-tree.h"
#include "flang/Semantics/semantics.h"

namespace cufc {

// When names are resolved and expressions are not analysed yet:
//   - a kernel or another procedure of device code that is an external procedure of the same file
//     has the interface of its definition wherever it is launched or called without one, as in the
//     first example of the CUDA Fortran Programming Guide;
//   - a kernel of another file that is launched without an interface gets the one that the actual
//     arguments suggest, with a warning;
//   - RANDOM_SEED takes integers of kinds 4 and 8, whichever is the default;
//   - ALLOCATED of a pointer asks whether it is associated, with a warning.
void adaptCalls(const Fortran::parser::Program &program,
                Fortran::semantics::SemanticsContext &context);

} // namespace cufc
#endif // CUFC_FRONTEND_LENIENT_CALLS_H
