// Conditions that LLVM has joined to a switch, apart again.
#ifndef CUFC_CODEGEN_CPU_SMALL_SWITCHES_H
#define CUFC_CODEGEN_CPU_SMALL_SWITCHES_H

#include "llvm/IR/PassManager.h"

namespace cufc {

// True if the function had a switch of few cases.
bool separateCases(llvm::Function &function);

// SimplifyCFG, which makes such switches, for passes that look at conditions.
void addSimplification(llvm::FunctionPassManager &passes);

} // namespace cufc
#endif // CUFC_CODEGEN_CPU_SMALL_SWITCHES_H
