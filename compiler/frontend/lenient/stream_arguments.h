// The argument STREAM of reductions: sum(a, stream=s). Private to frontend/.
#ifndef CUFC_FRONTEND_STREAM_ARGUMENTS_H
#define CUFC_FRONTEND_STREAM_ARGUMENTS_H

#include "flang/Parser/parse-tree.h"
#include "flang/Semantics/semantics.h"

namespace cufc {

// Between resolving names and the analysis of expressions: where host code gives one of Fortran's
// reductions a stream, the argument moves into the mask, as a function of cudafor that is true.
void moveStreamArguments(const Fortran::parser::Program &program,
                         Fortran::semantics::SemanticsContext &context);

} // namespace cufc
#endif // CUFC_FRONTEND_STREAM_ARGUMENTS_H
