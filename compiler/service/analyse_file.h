// One file from text to an Analysis: front end, checks and what is extracted for the editor. Runs
// in a process of its own, since flang may end it.
#ifndef CUFC_SERVICE_ANALYSE_FILE_H
#define CUFC_SERVICE_ANALYSE_FILE_H

#include "analysis/analysis.h"
#include "checks/checks.h"
#include "frontend/program.h"

namespace cufc {

Analysis analyseFile(const FrontendOptions &front, const CheckOptions &checks);

} // namespace cufc
#endif // CUFC_SERVICE_ANALYSE_FILE_H
