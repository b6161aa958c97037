// Values of threads, in their frames between barriers, that a region leaves as they are.
#ifndef CUFC_CODEGEN_CPU_KEPT_VALUES_H
#define CUFC_CODEGEN_CPU_KEPT_VALUES_H

namespace llvm {
class AAResults;
class DominatorTree;
class Loop;
class LoopInfo;
} // namespace llvm

namespace cufc {

// Has the loop over threads store only where the value may be another, so that a condition that
// guards all the rest leads past it:
//
//   s = frame(x); if (x < n) s = s + ..; frame(x) = s
//   s = frame(x); if (x < n) { s = s + ..; frame(x) = s }
//
// Returns whether it does.
bool storeWhatChanges(llvm::Loop &threads, llvm::LoopInfo &loops, llvm::DominatorTree &dominators,
                      llvm::AAResults &aliases);

} // namespace cufc
#endif // CUFC_CODEGEN_CPU_KEPT_VALUES_H
