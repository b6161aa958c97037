// Kernels with barriers as loops over the threads of a block between barriers.
#ifndef CUFC_CODEGEN_CPU_BARRIER_LOOPS_H
#define CUFC_CODEGEN_CPU_BARRIER_LOOPS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Function.h"
#include <cstdint>

namespace cufc {

struct BarrierLoops {
  llvm::Function *block = nullptr; // void (ptr block, ptr arguments), or null
  uint64_t frameBytes = 0;         // of each thread, in memory that the block's record names
  unsigned count = 0;              // of loops over the threads
  unsigned partingLine = 0;        // where threads that are to meet part, if that is why not
};

// Takes the body of `thread`, a function as makeThreadFunction gives it, into one that runs a whole
// block. Leaves it alone, apart from the shape of its blocks, where barriers are not in control
// flow that is the same for all threads (barrier_regions.h).
BarrierLoops makeBarrierLoops(llvm::Function &thread, llvm::StringRef name);

// The same for a kernel whose warps synchronise: loops over lanes between the operations of a warp,
// in loops over warps between barriers. For blocks whose x goes up to a multiple of 32. `thread` is
// left as it was.
BarrierLoops makeWarpLoops(llvm::Function &thread, llvm::StringRef name);

} // namespace cufc
#endif // CUFC_CODEGEN_CPU_BARRIER_LOOPS_H
