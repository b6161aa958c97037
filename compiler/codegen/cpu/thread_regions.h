// The regions between meetings (barrier_regions.h), cut out of the control flow graph.
#ifndef CUFC_CODEGEN_CPU_THREAD_REGIONS_H
#define CUFC_CODEGEN_CPU_THREAD_REGIONS_H

#include "codegen/cpu/barrier_regions.h"
#include <array>

namespace cufc {

// before -> entry -> ... -> next: what each thread does between two meetings. With loops:
//
//   before -> z -> y -> header -> entry -> ... -> latch -> (header, y, z) -> after -> next
struct ThreadRegion {
  llvm::BasicBlock *before; // of all threads together, ends in a branch to the entry
  llvm::BasicBlock *entry;  // of each thread; nothing but a branch, and this region alone leads in
  llvm::SetVector<llvm::BasicBlock *> blocks;
  llvm::BasicBlock *last = nullptr; // of the blocks, if the next meeting has phis
  llvm::BasicBlock *next = nullptr; // a meeting; null if no thread leaves the region
  bool repeats = false;             // comes again in one run of the kernel

  // Null while there are no loops.
  llvm::BasicBlock *header = nullptr, *latch = nullptr, *after = nullptr;
  std::array<llvm::Value *, 3> index{}; // of the thread, from 0
  llvm::Value *linear = nullptr;        // i64, x fastest

  bool hasLoops() const { return header != nullptr; }
};

// Splits blocks until meetings have nothing of single threads: joins have phis alone, choices the
// branch, the entry stack memory. Gives all regions.
std::vector<ThreadRegion> cutRegions(const BarrierRegions &plan);

// Sums and places that all regions of a kernel's function need.
struct BlockGeometry {
  std::array<llvm::Value *, 3> sizes; // i32, of the thread block
  llvm::Value *threads, *room;        // i64; the room is a multiple of 64
  llvm::Value *frames; // memory for room values of each of frame_bytes; null for lanes, whose room
                       // is on the stack
};

// Has each phi of the meeting that a region ends at get one value from the region.
void gatherAtEnd(ThreadRegion &region, BarrierRegions &plan);

// Puts loops over the threads around a region; with `isPlain` marked as such for thread_loops.h.
void addThreadLoops(ThreadRegion &region, const BlockGeometry &geometry, llvm::BasicBlock &exit,
                    bool isPlain);

// Whether a thread does anything in a region.
bool hasWork(const ThreadRegion &region);

} // namespace cufc
#endif // CUFC_CODEGEN_CPU_THREAD_REGIONS_H
