// What loops over the elements of a grid do with each of them.
#ifndef CUFC_CODEGEN_CPU_GRID_ELEMENTS_H
#define CUFC_CODEGEN_CPU_GRID_ELEMENTS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include <cstddef>
#include <optional>

namespace llvm {
class AAResults;
class DominatorTree;
class Loop;
class ScalarEvolution;
class SCEV;
} // namespace llvm

namespace cufc {

// Whether a value is loaded from a place of the block's record, which is the first argument.
bool isOfRecord(const llvm::Value *value, size_t offset);

// Elements from `first` on of which each thread of the grid, along x, takes every so manyth. The
// numbers of 32 bits are those of the block's record.
struct GridElements {
  int64_t first;
  llvm::Value *block, *threadCount, *blockCount;
};

// Of a loop whose variable is `start` + x at first, in steps of `stride`; none for other loops.
std::optional<GridElements> readGrid(const llvm::SCEV &start, llvm::Value &stride);

// The elements that a thread does: from `begin` on, below `end`, every step-th; numbers of 64 bits.
struct Rounds {
  // Each block does as many rows of the block's size as every other, one beside the other, in place
  // of every so manyth: a core's cache holds few lines that lie at such a distance.
  void takeChunk(const GridElements &grid, llvm::IRBuilder<> &builder);

  // Has the threads of a block, `threadCount`, do all rounds at once where the step is their
  // number, and that is not below `least`. Gives the number of threads that there are then, one for
  // each element, or else `threadCount`.
  llvm::Value *join(llvm::Value &threadCount, int64_t least, llvm::IRBuilder<> &builder);

  llvm::Value *begin, *step, *end;
};

// Elements of an array that the threads of a block read in one round: a(i + constant).
struct ElementRow {
  uint64_t size() const; // bytes of an element

  // The address where the index has another value.
  llvm::Value *at(llvm::Value &element, llvm::Value &index, llvm::IRBuilder<> &builder) const;

  llvm::GetElementPtrInst *address;
  llvm::SmallVector<llvm::Instruction *, 4> subscript; // from the index to it, the last one first
};

// A loop over elements in each thread.
struct GridLoop {
  llvm::SmallVector<ElementRow> rowsRead() const; // a few

  // Whether it makes no difference which block does an element: what is stored for one is read for
  // no other and nowhere else, and the block's index is for nothing but the elements.
  bool areIndependent(llvm::ScalarEvolution &evolution, llvm::AAResults &aliases) const;

  // The least number of threads with which the elements of a round may follow those of the round
  // before in one loop, of which several are done together; none if the thread's index is for more
  // than the elements.
  std::optional<int64_t> leastThreadsOfRow(llvm::ScalarEvolution &evolution,
                                           llvm::AAResults &aliases) const;

  const llvm::Loop &threads, &inner; // that over x, and the one in it
  llvm::PHINode &index, *count;   // the number of an element; of iterations that are left, or null
  const llvm::BasicBlock &before; // the loop over x
  const llvm::DominatorTree &dominators;

private:
  bool storesAreOfElements(llvm::ArrayRef<llvm::Instruction *> accesses,
                           llvm::ScalarEvolution &evolution, llvm::AAResults &aliases) const;
  bool isBefore(const llvm::Value *value) const;
  std::optional<ElementRow> rowAt(llvm::Value *address) const;
  bool isSumWithIndex(llvm::Value *subscript,
                      llvm::SmallVectorImpl<llvm::Instruction *> &path) const;
  bool blockIsForElements() const;
};

// What the threads read in the next round lies far away, where no processor looks for it by itself:
// a row of elements a(i + constant) of each array, up to that of the thread `last`. Gives the block
// that comes before `round`, with the number of whose first element `base` is.
llvm::BasicBlock *fetchAhead(const GridLoop &loop, llvm::PHINode &base, const Rounds &rounds,
                             llvm::Value &last, llvm::BasicBlock &round);

} // namespace cufc
#endif // CUFC_CODEGEN_CPU_GRID_ELEMENTS_H
