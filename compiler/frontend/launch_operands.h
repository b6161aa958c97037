// Operands of the launch configuration of CUF kernel directives that flang does not take. Private
// to frontend/.
#ifndef CUFC_FRONTEND_LAUNCH_OPERANDS_H
#define CUFC_FRONTEND_LAUNCH_OPERANDS_H

#include "frontend/flang_program.h"
#include "source/dialect_rewrite.h"
#include <string>
#include <vector>

namespace cufc {

// What to insert into the source: a variable V of type dim3 becomes (V%x,V%y,V%z), an integer of
// another kind than 4 is converted. `path` is the name of the file.
std::vector<Edit> editsForLaunchOperands(const FlangProgram &program, const std::string &path);

} // namespace cufc
#endif // CUFC_FRONTEND_LAUNCH_OPERANDS_H
