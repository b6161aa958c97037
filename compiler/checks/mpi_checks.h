// The checks of calls of MPI, which do not depend on CUDA Fortran.
#ifndef CUFC_CHECKS_MPI_CHECKS_H
#define CUFC_CHECKS_MPI_CHECKS_H

#include "base/diagnostics.h"

namespace cufc {

class CheckContext;
class Program;

void checkMpiCalls(CheckContext &context);

// The same for a program that is not CUDA Fortran and has symbols.
void runMpiChecks(Program &program, Diagnostics &diagnostics);

} // namespace cufc
#endif // CUFC_CHECKS_MPI_CHECKS_H
