// What the threads of a block do before their warps meet.
#ifndef CUFC_CODEGEN_CPU_BLOCK_PROLOGUE_H
#define CUFC_CODEGEN_CPU_BLOCK_PROLOGUE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Function.h"
#include <vector>

namespace cufc {

// A function for a thread up to the place where threads first meet, and what another, which begins
// there, needs of it: an element for each thread of each value.
struct BlockPrologue {
  llvm::Function *thread = nullptr; // null if all stays where it is
  std::vector<llvm::Type *> values;
};

// Takes the prologue out of `rest`, a thread's function (host_kernel_body.h) with operations of
// warps, if a loop over the elements of the grid is in it.
BlockPrologue splitPrologue(llvm::Function &rest);

// Once useLanes (warp_lanes.h) has made a lane's function of `rest`: says which element is a
// lane's.
void chooseElements(llvm::Function &lane);

// Has the function of the block run the prologue first, for all threads.
void addPrologue(llvm::Function &block, const BlockPrologue &prologue);

} // namespace cufc
#endif // CUFC_CODEGEN_CPU_BLOCK_PROLOGUE_H
