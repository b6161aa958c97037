// A kernel's function for a thread as one for a lane of a warp.
#ifndef CUFC_CODEGEN_CPU_WARP_LANES_H
#define CUFC_CODEGEN_CPU_WARP_LANES_H

#include "llvm/IR/Function.h"

namespace cufc {

// Whether a function synchronises the lanes of a warp.
bool synchronisesLanes(const llvm::Function &thread);

// Takes `thread`, as makeThreadFunction gives it, for one whose arguments at the places of x and y
// (lane_operations.h) are the lane and the number of the warp in the block. It holds for blocks
// whose x goes up to a multiple of 32, of which a warp is a part of a row. What depends on the warp
// alone, such as (threadIdx%x - 1)/32, does not depend on the lane then.
void useLanes(llvm::Function &thread);

} // namespace cufc
#endif // CUFC_CODEGEN_CPU_WARP_LANES_H
