// The DO statements of the loops that a CUF kernel spreads over threads. The host evaluates their
// bounds before it launches the kernel, so data of the host may stand there. Private to frontend/.
#ifndef CUFC_FRONTEND_PARALLEL_BOUNDS_H
#define CUFC_FRONTEND_PARALLEL_BOUNDS_H

#include "flang/Parser/parse-tree.h"
#include <vector>

namespace cufc {

// Of the loop and those directly inside it, as many as the directive says.
std::vector<const Fortran::parser::DoConstruct *>
parallelLoops(const Fortran::parser::CUFKernelDoConstruct &kernel);

// The text of the DO statements of all parallel loops of a program.
std::vector<Fortran::parser::CharBlock> parallelStatements(const Fortran::parser::Program &program);

} // namespace cufc
#endif // CUFC_FRONTEND_PARALLEL_BOUNDS_H
