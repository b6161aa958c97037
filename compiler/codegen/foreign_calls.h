// Calls of procedures that gfortran compiled, in host code that flang generated.
#ifndef CUFC_CODEGEN_FOREIGN_CALLS_H
#define CUFC_CODEGEN_FOREIGN_CALLS_H

#include "foreign/calls.h"

namespace llvm {
class Module;
}

namespace cufc {

// Gives the procedures and variables that the module declares the names they have in the library.
// Where conventions differ, an adapter stands in a procedure's place.
void adaptForeignCalls(llvm::Module &module, const foreign::Calls &calls);

} // namespace cufc
#endif // CUFC_CODEGEN_FOREIGN_CALLS_H
