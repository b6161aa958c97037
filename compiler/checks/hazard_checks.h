// The checks for what compiles and is probably not wanted; they run where CheckOptions::hazards
// says so. Private to checks/, and apart from check.h so that hazards do not recompile the other
// checks.
#ifndef CUFC_CHECKS_HAZARD_CHECKS_H
#define CUFC_CHECKS_HAZARD_CHECKS_H

#include "checks/check.h"

namespace cufc {

// What may go wrong or cost time when the program runs.
void checkHazards(CheckContext &context, Diagnostics &diagnostics);
// What is declared, or made visible by USE, and not used.
void checkUnused(CheckContext &context, Diagnostics &diagnostics);

} // namespace cufc
#endif // CUFC_CHECKS_HAZARD_CHECKS_H
