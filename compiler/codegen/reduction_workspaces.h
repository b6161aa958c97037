// The memory in which the blocks of a grid combine values (lower/grid_reductions.h).
#ifndef CUFC_CODEGEN_REDUCTION_WORKSPACES_H
#define CUFC_CODEGEN_REDUCTION_WORKSPACES_H

#include "llvm/ADT/StringRef.h"

namespace llvm {
class Function;
}

namespace cufc {

inline constexpr llvm::StringLiteral reducePrefix = "cufc_reduce_", gatherPrefix = "cufc_gather_";

// An attribute of a kernel's argument that is a workspace: nothing else is there.
inline constexpr llvm::StringLiteral reductionWorkspace = "cufc-reduction-workspace";

// Whether a function combines values of a grid (device_reductions.h): it writes only to the
// workspace, to what that names, and to shared memory of its own.
bool isReduction(const llvm::Function &function);

// Marks what callers of such a function pass as workspace.
void markReductionWorkspaces(llvm::Function &reduction);

} // namespace cufc
#endif // CUFC_CODEGEN_REDUCTION_WORKSPACES_H
