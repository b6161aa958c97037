// Vectors that are stored where a part of them was loaded.
#ifndef CUFC_CODEGEN_CPU_WHOLE_STORES_H
#define CUFC_CODEGEN_CPU_WHOLE_STORES_H

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace cufc {

// Keeps LLVM from making masked stores of them where those take longer. Behind all optimisations.
void keepStoresWhole(llvm::Module &module, llvm::TargetMachine &target);

} // namespace cufc
#endif // CUFC_CODEGEN_CPU_WHOLE_STORES_H
