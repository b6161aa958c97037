// Integers among the operands of logical operators. Private to frontend/.
#ifndef CUFC_FRONTEND_INTEGER_OPERANDS_H
#define CUFC_FRONTEND_INTEGER_OPERANDS_H

#include "base/diagnostics.h"
#include "frontend/flang_program.h"

namespace cufc {

// Where an operand of .AND., .OR., .EQV. or .NEQV. is an integer and the other one is not, which
// nvfortran takes: the calls of BTEST to insert into the source file at `path`. Adds a warning for
// each to `diagnostics`. With two integers the operators would be bitwise there, which stays an
// error.
std::vector<Edit> testsOfIntegerOperands(FlangProgram &program, const std::string &path,
                                         Diagnostics &diagnostics);

// The same for NOT of a logical value, which is .not. there, and for elements of arrays that may
// have gaps as the begin of an array without.
std::vector<Edit> mendedOperands(FlangProgram &program, const std::string &path,
                                 Diagnostics &diagnostics);

} // namespace cufc
#endif // CUFC_FRONTEND_INTEGER_OPERANDS_H
