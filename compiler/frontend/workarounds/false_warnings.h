// Warnings that flang gives for correct programs. Private to frontend/.
#ifndef CUFC_FRONTEND_FALSE_WARNINGS_H
#define CUFC_FRONTEND_FALSE_WARNINGS_H

#include "frontend/flang_program.h"

namespace cufc {

// Removes them from the messages of the program's semantic analysis:
//   - that is_contiguous is always true, and that an argument is not known to be contiguous, which
//     is said of every section;
//   - that a variable is never used which is the index of a DO CONCURRENT or FORALL: flang means
//     the variable of the scope around, which gives the index its type;
//   - that a variable is never defined which may get its value in a way that flang does not know,
//   or
//     whose value is not asked for (variable_values.h), and that one is never used which flang has
//     not seen in a condition;
//   - that a pointer points to what INTENT(IN) protects, that a kernel's TARGET dummy gets what is
//   no
//     target, and that device code cannot associate pointers.
void dropFalseWarnings(FlangProgram &program);

} // namespace cufc
#endif // CUFC_FRONTEND_FALSE_WARNINGS_H
