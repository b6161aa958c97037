// The counters of CUF kernels over several loops, which strength reduction is kept from.
#ifndef CUFC_CODEGEN_GPU_SPREAD_COUNTERS_H
#define CUFC_CODEGEN_GPU_SPREAD_COUNTERS_H

namespace llvm {
class Module;
class Value;
} // namespace llvm

namespace cufc {

// Whether a value is computed from the number of blocks of the grid, as the step of a loop that is
// spread over the grid is.
bool dependsOnGridSize(const llvm::Value *value);

// Whether it is computed from the number of threads of a block.
bool dependsOnBlockSize(const llvm::Value *value);

// Hides how the counters of nested loops over the grid are related from one iteration to the next.
// For a module of GPU code whose variables are values already, before it is optimised.
void hideSpreadCounters(llvm::Module &module);

} // namespace cufc
#endif // CUFC_CODEGEN_GPU_SPREAD_COUNTERS_H
