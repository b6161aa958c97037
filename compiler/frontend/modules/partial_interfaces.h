// Interfaces of modules that lack what needs a module that is not there.
#ifndef CUFC_FRONTEND_PARTIAL_INTERFACES_H
#define CUFC_FRONTEND_PARTIAL_INTERFACES_H

#include "frontend/flang_program.h"

namespace cufc {

// Whether a module that the program uses, itself or through others, has such a module file.
bool usesPartialModules(const FlangProgram &program);

// Whether one of flang's errors is about a module that is not there or whose file cannot be read.
bool lacksModules(const FlangProgram &program);

// Whether names may be missing that such modules would have.
inline bool mayLackNames(const FlangProgram &program) {
  return lacksModules(program) || usesPartialModules(program);
}

} // namespace cufc
#endif // CUFC_FRONTEND_PARTIAL_INTERFACES_H
