// The checks of what flang accepts and device code, or host code that deals with it, cannot do.
// They look at the parse tree and the symbols alone, so an editor can run them while one types.
// This header is free of flang's types.
#ifndef CUFC_CHECKS_CHECKS_H
#define CUFC_CHECKS_CHECKS_H

#include "base/diagnostics.h"
#include "frontend/program.h"

namespace cufc {

// What depends on the GPUs and the toolkit that code is generated for.
struct CheckOptions {
  size_t kernelArgumentBytes = 4096; // of one kernel
  size_t sharedBytes = 232448;       // of one block, at most, static and dynamic together
  bool warnings = true;
  bool hazards = false; // hints about synchronisation, performance and what is unused
};

// Runs all checks over a program that has symbols; flang may have found errors, of which those that
// no check says better are added here. Adds diagnostics in the order of the source.
void runChecks(Program &program, const CheckOptions &options, Diagnostics &diagnostics);

} // namespace cufc
#endif // CUFC_CHECKS_CHECKS_H
