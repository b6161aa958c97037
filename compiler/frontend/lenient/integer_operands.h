// Integers among the operands of logical operators. Private to frontend/.
#ifndef CUFC_FRONTEND_INTEGER_OPERANDS_H
#define CUFC_FRONTEND_INTEGER_OPERANDS_H

#include "base/diagnostics.h"
#include "frontend/edits.h"

namespace cufc {

// Where an operand of .AND., .OR., .EQV. or .NEQV. is an integer and the other one is not, which
// nvfortran takes: edits that make calls of BTEST. Adds a warning for each to `diagnostics`. With
// two integers the operators would be bitwise there, which stays an error.
void testIntegerOperands(FlangProgram &program, EditList &edits, Diagnostics &diagnostics);

// The same where an integer is a condition, of which flang's messages speak.
void testIntegerConditions(Fortran::parser::Messages &messages, FlangProgram &program,
                           EditList &edits, Diagnostics &diagnostics);

// The same for NOT of a logical value, which is .not. there, and for elements of arrays that may
// have gaps as the begin of an array without.
void mendOperands(FlangProgram &program, EditList &edits, Diagnostics &diagnostics);

} // namespace cufc
#endif // CUFC_FRONTEND_INTEGER_OPERANDS_H
