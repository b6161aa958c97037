// Counters of loops in device code that LLVM has cut to 32 bits without need.
#ifndef CUFC_CODEGEN_GPU_TRUNCATED_COUNTERS_H
#define CUFC_CODEGEN_GPU_TRUNCATED_COUNTERS_H

namespace llvm {
class PassBuilder;
} // namespace llvm

namespace cufc {

// Adds to LLVM's pipeline what takes such a counter whole.
void widenTruncatedCounters(llvm::PassBuilder &builder);

} // namespace cufc
#endif // CUFC_CODEGEN_GPU_TRUNCATED_COUNTERS_H
