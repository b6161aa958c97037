// Interfaces of modules that lack something because of a module that is not there. Private to
// frontend/.
#ifndef CUFC_FRONTEND_PARTIAL_INTERFACES_H
#define CUFC_FRONTEND_PARTIAL_INTERFACES_H

#include "frontend/flang_program.h"
#include <string>

namespace cufc {

// A source with modules whose module files say, by a private name, that declarations are missing:
// any name may be one of theirs.
std::string markedPartial(const std::string &source);

// Whether a module that the program uses, itself or through others, has such a module file.
bool usesPartialModules(const FlangProgram &program);

// Whether one of flang's errors is about a module that is not there or whose file cannot be read.
bool lacksModules(const FlangProgram &program);

} // namespace cufc
#endif // CUFC_FRONTEND_PARTIAL_INTERFACES_H
