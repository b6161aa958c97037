// One file from text to an Analysis: front end, checks and what is extracted for the editor. Runs
// in a process of its own, since flang may end it.
#ifndef CUFC_SERVICE_ANALYSE_FILE_H
#define CUFC_SERVICE_ANALYSE_FILE_H

#include "analysis/analysis.h"
#include "checks/checks.h"
#include "frontend/program_stock.h"
#include <functional>

namespace cufc {

// Calls `give` with the bytes of an Analysis after each step, and whether it is the last, which is
// whole; what came before serves if a later step crashes. `give` may end the process then, which
// spares it the time to take flang's objects apart.
void analyseFile(const FrontendOptions &front, const CheckOptions &checks, ProgramStock *stock,
                 const std::function<void(const std::string &, bool)> &give);

} // namespace cufc
#endif // CUFC_SERVICE_ANALYSE_FILE_H
