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
//   - that a variable is never defined which DATA gives its value.
void dropFalseWarnings(FlangProgram &program);

} // namespace cufc
#endif // CUFC_FRONTEND_FALSE_WARNINGS_H
