// Operations of a warp whose lanes run in loops, one after the other.
#ifndef CUFC_CODEGEN_CPU_LANE_OPERATIONS_H
#define CUFC_CODEGEN_CPU_LANE_OPERATIONS_H

#include "codegen/cpu/sync_operations.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/Instructions.h"

namespace cufc {

inline constexpr unsigned lanesOfWarp = 32;

// Of the function for one lane (warp_lanes.h).
inline constexpr unsigned laneArgument = 3, warpArgument = 4;

// Whether there is code for it here: barriers, votes, shuffles, matches, reductions.
bool canBeOfLanes(const SyncOperation &operation);

// Whether all lanes get the same result, if those values are the same for all that `isUniform`
// says.
bool isSameForLanes(const SyncOperation &operation,
                    llvm::function_ref<bool(const llvm::Value &)> isUniform);

// Stack memory with room for all lanes.
llvm::AllocaInst *laneValues(llvm::BasicBlock &entry, llvm::Type *type);

// Where the lanes are before and after they meet.
struct LaneMeeting {
  llvm::CallInst &call;                         // in a block that is run once for all lanes
  llvm::BasicBlock &before;                     // run once, before any lane comes to the call
  llvm::BasicBlock &arrival;                    // of each lane, its last one before
  llvm::BasicBlock &departure;                  // of each lane, its first one after
  llvm::Value &lane;                            // i32, from 0
  bool mayMiss;                                 // lanes may have left for good
  llvm::DenseSet<const llvm::Value *> &varying; // values that differ between lanes; more are added
};

// Puts code in the place of a warp's operation. Returns false, with nothing changed, if there is
// none: reductions with masks that differ.
bool replaceByLanes(LaneMeeting &meeting);

} // namespace cufc
#endif // CUFC_CODEGEN_CPU_LANE_OPERATIONS_H
