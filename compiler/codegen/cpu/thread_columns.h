// Threads that go through columns side by side, such as the levels of an atmosphere.
#ifndef CUFC_CODEGEN_CPU_THREAD_COLUMNS_H
#define CUFC_CODEGEN_CPU_THREAD_COLUMNS_H

#include "llvm/IR/PassManager.h"

namespace cufc {

// Adds what has several threads of such loops take each step together.
void addColumnPasses(llvm::FunctionPassManager &passes);

} // namespace cufc
#endif // CUFC_CODEGEN_CPU_THREAD_COLUMNS_H
