// The ways of threads through a kernel, for questions about which of them all threads go.
#ifndef CUFC_CODEGEN_CPU_THREAD_FLOW_H
#define CUFC_CODEGEN_CPU_THREAD_FLOW_H

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/BasicBlock.h"
#include <vector>

namespace cufc {

using FlowEdge = std::pair<llvm::BasicBlock *, llvm::BasicBlock *>;
using FlowEdges = llvm::DenseSet<FlowEdge>;

// The blocks on ways from the entry to `exit` that use none of the edges `without`.
class ThreadFlow {
public:
  ThreadFlow(llvm::BasicBlock &exit, const FlowEdges &without);

  bool contains(const llvm::BasicBlock *block) const { return numbers.count(block) != 0; }

  // In reverse post order; each successor and predecessor once.
  llvm::ArrayRef<llvm::BasicBlock *> blocks() const { return order; }
  llvm::ArrayRef<llvm::BasicBlock *> successors(const llvm::BasicBlock *block) const;
  llvm::ArrayRef<llvm::BasicBlock *> predecessors(const llvm::BasicBlock *block) const;

  // Whether all ways from `block`, which is in the flow, lead through `later`, or are there.
  bool leadsThrough(const llvm::BasicBlock *block, const llvm::BasicBlock *later) const;

  // Whether `branch` decides if, or how often, `block` is reached (Ferrante, Ottenstein and Warren,
  // "The Program Dependence Graph", 1987).
  bool decides(const llvm::BasicBlock *branch, const llvm::BasicBlock *block) const;

private:
  void addBlocks(llvm::BasicBlock &exit, const FlowEdges &without);
  void findLaterBlocks();

  std::vector<llvm::BasicBlock *> order;
  llvm::DenseMap<const llvm::BasicBlock *, unsigned> numbers;
  std::vector<std::vector<llvm::BasicBlock *>> after, before;
  std::vector<llvm::BitVector> later; // of each block, those that all ways lead through
};

} // namespace cufc
#endif // CUFC_CODEGEN_CPU_THREAD_FLOW_H
