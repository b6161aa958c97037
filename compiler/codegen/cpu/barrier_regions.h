// What all threads of a block do alike in a kernel with barriers, and what lies between.
//
// A meeting is a block of the control flow graph that all threads of a thread block pass together:
// the entry, barriers, branches that decide about meetings, joins of ways that all threads go, the
// exit. Where it is known which meeting follows which, each thread can go from one to the next
// before the next thread does: a region.
#ifndef CUFC_CODEGEN_CPU_BARRIER_REGIONS_H
#define CUFC_CODEGEN_CPU_BARRIER_REGIONS_H

#include "codegen/cpu/thread_flow.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Instructions.h"
#include <optional>

namespace cufc {

// An edge by which some threads leave for good before a barrier of the others.
struct Retirement {
  llvm::Instruction *branch;
  llvm::BasicBlock *target;
  bool ifTrue; // or if false: of a branch with two successors
  bool always; // all threads come by the branch, before the first meeting behind the entry
};

struct BarrierRegions {
  llvm::BasicBlock *exit = nullptr; // the only return
  llvm::SetVector<llvm::BasicBlock *> meetings;
  llvm::DenseSet<llvm::BasicBlock *> choices; // meetings whose branch all threads take alike
  llvm::DenseSet<llvm::BasicBlock *> joins;   // meetings that several regions end at
  std::vector<Retirement> retirements;
  llvm::DenseSet<const llvm::Value *> varying; // instructions that differ between threads
  std::vector<llvm::CallInst *> barriers;      // each in a block with a branch alone
  bool ofLanes = false; // all of this for the lanes of a warp in place of the threads of a block

  // Whether a value is the same for all threads that compute it between the same meetings.
  bool isUniform(const llvm::Value &value) const;
};

// For a function as makeThreadFunction gives it. Nothing if some barrier is reached by other
// conditions than those that are the same for all threads, or if there are other synchronising
// operations. The function's blocks may be split in both cases. `parting` is where threads that are
// to meet later go different ways then, as far as that is why and code has lines.
std::optional<BarrierRegions> findBarrierRegions(llvm::Function &thread, llvm::DebugLoc &parting);

// The same for the lanes of a warp, for a function as useLanes (warp_lanes.h) leaves it: operations
// of warps are barriers, too.
std::optional<BarrierRegions> findLaneRegions(llvm::Function &thread, llvm::DebugLoc &parting);

// The same for the warps of a block, each of which is a thread here; there need be no barriers.
std::optional<BarrierRegions> findWarpRegions(llvm::Function &warp, llvm::DebugLoc &parting);

} // namespace cufc
#endif // CUFC_CODEGEN_CPU_BARRIER_REGIONS_H
