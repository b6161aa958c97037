// Sums of reals under a condition in a form that LLVM's vectoriser takes for reductions.
#ifndef CUFC_CODEGEN_CPU_CONDITIONAL_SUMS_H
#define CUFC_CODEGEN_CPU_CONDITIONAL_SUMS_H

namespace llvm {
class PassBuilder;
} // namespace llvm

namespace cufc {

// Adds the pass before the vectorisers.
void addUnconditionally(llvm::PassBuilder &builder);

} // namespace cufc
#endif // CUFC_CODEGEN_CPU_CONDITIONAL_SUMS_H
