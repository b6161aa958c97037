// Statements between the parallel loops of a CUF kernel. Private to frontend/.
#ifndef CUFC_FRONTEND_NESTED_STATEMENTS_H
#define CUFC_FRONTEND_NESTED_STATEMENTS_H

#include "base/diagnostics.h"
#include "flang/Parser/parse-tree.h"
#include "frontend/flang_program.h"

namespace cufc {

// Before the analysis: assignments to names that stand in front of an inner one of the `depth`
// parallel loops, and that give the same value whenever they are executed in an iteration of the
// loops around them, go to the begin of the innermost loop, as with nvfortran. A warning says so
// (CUF0287); others stay, and are errors.
void moveIntoInnermostLoop(Fortran::parser::DoConstruct &outermost, std::size_t depth,
                           const FlangProgram &program, Diagnostics &diagnostics);

} // namespace cufc
#endif // CUFC_FRONTEND_NESTED_STATEMENTS_H
