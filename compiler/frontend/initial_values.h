// Initial values of device variables of a main program. Private to frontend/.
#ifndef CUFC_FRONTEND_INITIAL_VALUES_H
#define CUFC_FRONTEND_INITIAL_VALUES_H

#include "frontend/flang_program.h"

namespace cufc {

// Assignments of the values, to be inserted behind the program's declarations: flang allocates such
// variables when the program begins and forgets the values.
std::vector<Edit> assignInitialValues(const FlangProgram &program, const std::string &path);

} // namespace cufc
#endif // CUFC_FRONTEND_INITIAL_VALUES_H
