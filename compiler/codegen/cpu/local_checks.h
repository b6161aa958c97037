// Host code of kernels that looks whether local variables have a value, for -gpu=check.
#ifndef CUFC_CODEGEN_CPU_LOCAL_CHECKS_H
#define CUFC_CODEGEN_CPU_LOCAL_CHECKS_H

namespace llvm {
class Instruction;
class Module;
class Value;
} // namespace llvm

namespace cufc {

// Replaces the marks of local variables (lower/variable_marks.cpp). Before anything has moved
// variables into registers or functions into their callers, and before checkAccesses.
void checkLocals(llvm::Module &module);

// Whether `object` is a variable whose address goes elsewhere, and an access of it one that
// checkLocals has not seen to: it comes from a procedure that has been inlined since.
bool isInlinedAccess(const llvm::Value &object, const llvm::Instruction &access);

} // namespace cufc
#endif // CUFC_CODEGEN_CPU_LOCAL_CHECKS_H
