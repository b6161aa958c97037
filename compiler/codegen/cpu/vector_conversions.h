// Conversions of vectors of reals to integers.
#ifndef CUFC_CODEGEN_CPU_VECTOR_CONVERSIONS_H
#define CUFC_CODEGEN_CPU_VECTOR_CONVERSIONS_H

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace cufc {

// Has processors of x86 convert all elements at once. Behind all optimisations.
void convertWholeVectors(llvm::Module &module, const llvm::TargetMachine &target);

} // namespace cufc
#endif // CUFC_CODEGEN_CPU_VECTOR_CONVERSIONS_H
