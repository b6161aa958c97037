// Conditions on the distance of a thread from another.
#ifndef CUFC_CODEGEN_CPU_ABSOLUTE_BOUNDS_H
#define CUFC_CODEGEN_CPU_ABSOLUTE_BOUNDS_H

namespace llvm {
class Function;
}

namespace cufc {

// abs(i - k) < n, where it decides about a branch, becomes i - k < n .and. k - i < n, of which each
// may be a bound of a loop over threads (thread_bounds.h).
void divideAbsoluteBounds(llvm::Function &block);

} // namespace cufc
#endif // CUFC_CODEGEN_CPU_ABSOLUTE_BOUNDS_H
