// What loops over threads load from memory.
#ifndef CUFC_CODEGEN_CPU_LOADS_OF_ROUNDS_H
#define CUFC_CODEGEN_CPU_LOADS_OF_ROUNDS_H

namespace llvm {
class PassBuilder;
}

namespace cufc {

// To be called before the pipeline is built.
void loadInEachRound(llvm::PassBuilder &builder);

} // namespace cufc
#endif // CUFC_CODEGEN_CPU_LOADS_OF_ROUNDS_H
