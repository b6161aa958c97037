// What the run-time library is told of a descriptor (cufrt/foreign.h), as constants of generated
// code. Private to codegen/.
#ifndef CUFC_CODEGEN_FOREIGN_FACTS_H
#define CUFC_CODEGEN_FOREIGN_FACTS_H

#include "foreign/calls.h"

namespace llvm {
class Constant;
class Module;
} // namespace llvm

namespace cufc {

// A constant cufrt_foreign_array. `display` is the procedure or variable that messages name.
llvm::Constant *foreignFacts(llvm::Module &module, const foreign::Passed &passed,
                             const std::string &display, bool isResult);

// Variables of gfortran's modules that are allocatable or pointers: see foreign_variables.cpp.
void adaptForeignVariables(llvm::Module &module, const foreign::Calls &calls);

} // namespace cufc
#endif // CUFC_CODEGEN_FOREIGN_FACTS_H
