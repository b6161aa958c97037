// What loops over the elements of a grid do with each of them.
#ifndef CUFC_CODEGEN_GRID_ELEMENTS_H
#define CUFC_CODEGEN_GRID_ELEMENTS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include <optional>

namespace llvm {
class AAResults;
class DominatorTree;
class Loop;
class ScalarEvolution;
class SCEV;
} // namespace llvm

namespace cufc {

// Elements from `first` on of which each thread of the grid, along x, takes every so manyth. The
// numbers of 32 bits are those of the block's record.
struct GridElements {
  int64_t first;
  llvm::Value *block, *threadCount, *blockCount;
};

// Of a loop whose variable is `start` + x at first, in steps of `stride`; none for other loops.
std::optional<GridElements> readGrid(const llvm::SCEV &start, llvm::Value &stride);

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

  const llvm::Loop &threads, &inner; // that over x, and the one in it
  llvm::PHINode &index, *count;   // the number of an element; of iterations that are left, or null
  const llvm::BasicBlock &before; // the loop over x
  const llvm::DominatorTree &dominators;

private:
  bool isBefore(const llvm::Value *value) const;
  std::optional<ElementRow> rowAt(llvm::Value *address) const;
  bool isSumWithIndex(llvm::Value *subscript,
                      llvm::SmallVectorImpl<llvm::Instruction *> &path) const;
  bool blockIsForElements() const;
};

} // namespace cufc
#endif // CUFC_CODEGEN_GRID_ELEMENTS_H
