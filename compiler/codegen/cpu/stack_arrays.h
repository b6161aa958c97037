// Arrays on the stack of a thread.
#ifndef CUFC_CODEGEN_CPU_STACK_ARRAYS_H
#define CUFC_CODEGEN_CPU_STACK_ARRAYS_H

namespace llvm {
class AllocaInst;
class Type;
} // namespace llvm

namespace cufc {

// The type of all accesses to an array, which are by its elements alone; null if it is used
// otherwise.
llvm::Type *accessedType(const llvm::AllocaInst &memory);

} // namespace cufc
#endif // CUFC_CODEGEN_CPU_STACK_ARRAYS_H
