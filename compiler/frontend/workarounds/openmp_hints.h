// What OpenMP lets a compiler ignore and flang does not lower. Private to frontend/.
#ifndef CUFC_FRONTEND_OPENMP_HINTS_H
#define CUFC_FRONTEND_OPENMP_HINTS_H

#include "frontend/flang_program.h"

namespace cufc {

// Before the analysis: REDUCTION(-: x) adds up what the threads have, as "+" does (OpenMP 5.1,
// 2.21.5.1); flang refuses the other spelling.
void replaceMinusReductions(FlangProgram &program);

// After the analysis: takes hints out of the tree. They are ORDER(CONCURRENT), AFFINITY and
// ALLOCATE clauses, SIMD of combined TASKLOOP SIMD, DECLARE SIMD, ALLOCATE of declarations, and
// NOTHING.
void dropOpenmpHints(FlangProgram &program);

} // namespace cufc
#endif // CUFC_FRONTEND_OPENMP_HINTS_H
