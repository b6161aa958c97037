// Host code of kernels that looks whether local variables have a value, for -gpu=check.
#ifndef CUFC_CODEGEN_LOCAL_CHECKS_H
#define CUFC_CODEGEN_LOCAL_CHECKS_H

namespace llvm {
class Module;
} // namespace llvm

namespace cufc {

// Replaces the marks of local variables (lower/variable_marks.cpp). Before anything has moved
// variables into registers or functions into their callers, and before checkAccesses.
void checkLocals(llvm::Module &module);

} // namespace cufc
#endif // CUFC_CODEGEN_LOCAL_CHECKS_H
