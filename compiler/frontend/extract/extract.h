// What the front end knows of a file, as plain data.
#ifndef CUFC_FRONTEND_EXTRACT_H
#define CUFC_FRONTEND_EXTRACT_H

#include "analysis/analysis.h"
#include "frontend/program.h"

namespace cufc {

// Fills everything but the diagnostics, after Program::analyse. Works on programs with errors as
// far as the front end got.
void extractAnalysis(Program &program, Analysis &analysis);

} // namespace cufc
#endif // CUFC_FRONTEND_EXTRACT_H
