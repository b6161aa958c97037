// Short rows of the lanes of a warp as whole vectors.
#ifndef CUFC_CODEGEN_CPU_IDLE_LANES_H
#define CUFC_CODEGEN_CPU_IDLE_LANES_H

namespace llvm {
class PassBuilder;
} // namespace llvm

namespace cufc {

// Adds the pass before the vectorisers.
void fillLastVectors(llvm::PassBuilder &builder);

} // namespace cufc
#endif // CUFC_CODEGEN_CPU_IDLE_LANES_H
