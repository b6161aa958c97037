// Statements between the loops of a CUF kernel. Private to frontend/.
#ifndef CUFC_FRONTEND_KERNEL_NESTS_H
#define CUFC_FRONTEND_KERNEL_NESTS_H

#include "flang/Parser/parse-tree.h"
#include <set>
#include <string>

namespace cufc {

// Names that the file declares as scalars and nowhere as arrays.
std::set<std::string> scalarNames(const Fortran::parser::Program &program);

// Before the analysis: of the nest of `depth` loops that begins with `loop`, assignments to scalars
// that stand before an inner loop move into the innermost one, where each iteration makes them for
// itself; nvfortran takes such nests. Nothing moves if anything else stands between the loops, or
// if the control of an inner loop depends on what moves.
void joinLoops(Fortran::parser::DoConstruct &loop, std::size_t depth,
               const std::set<std::string> &scalars);

} // namespace cufc
#endif // CUFC_FRONTEND_KERNEL_NESTS_H
