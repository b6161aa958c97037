// LLVM has post-dominators of a function as it is; here edges are left out. The sets of blocks that
// all ways lead through are the largest that fulfil later(b) = {b} + what is in all later(s) of its
// successors s.
#include "codegen/cpu/thread_flow.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Function.h"

namespace cufc {

using namespace llvm;

namespace {

using Reached = DenseSet<BasicBlock *>;

template <typename Next>
Reached reachedFrom(BasicBlock &start, Next next) {
  Reached reached{&start};
  std::vector<BasicBlock *> open{&start};
  while (!open.empty()) {
    BasicBlock *block = open.back();
    open.pop_back();
    next(block, [&](BasicBlock *neighbour) {
      if (reached.insert(neighbour).second)
        open.push_back(neighbour);
    });
  }
  return reached;
}

} // namespace

ThreadFlow::ThreadFlow(BasicBlock &exit, const FlowEdges &without) {
  addBlocks(exit, without);
  findLaterBlocks();
}

void ThreadFlow::addBlocks(BasicBlock &exit, const FlowEdges &without) {
  Function &function = *exit.getParent();
  Reached fromEntry = reachedFrom(function.getEntryBlock(), [&](BasicBlock *block, auto add) {
    for (BasicBlock *next : llvm::successors(block))
      if (!without.contains({block, next}))
        add(next);
  });
  Reached toExit = reachedFrom(exit, [&](BasicBlock *block, auto add) {
    for (BasicBlock *previous : llvm::predecessors(block))
      if (!without.contains({previous, block}))
        add(previous);
  });
  for (BasicBlock *block : ReversePostOrderTraversal<Function *>(&function))
    if (fromEntry.contains(block) && toExit.contains(block)) {
      numbers[block] = static_cast<unsigned>(order.size());
      order.push_back(block);
    }
  after.resize(order.size());
  before.resize(order.size());
  for (BasicBlock *block : order)
    for (BasicBlock *next : llvm::successors(block)) {
      auto &known = after[numbers[block]];
      if (!contains(next) || without.contains({block, next}) || is_contained(known, next))
        continue;
      known.push_back(next);
      before[numbers[next]].push_back(block);
    }
}

void ThreadFlow::findLaterBlocks() {
  const auto count = static_cast<unsigned>(order.size());
  later.assign(count, BitVector(count, true));
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned number = count; number-- > 0;) {
      BitVector common(count, !after[number].empty());
      for (const BasicBlock *next : after[number])
        common &= later[numbers[next]];
      common.set(number);
      if (common == later[number])
        continue;
      later[number] = std::move(common);
      changed = true;
    }
  }
}

ArrayRef<BasicBlock *> ThreadFlow::successors(const BasicBlock *block) const {
  auto found = numbers.find(block);
  if (found == numbers.end())
    return {};
  return after[found->second];
}

ArrayRef<BasicBlock *> ThreadFlow::predecessors(const BasicBlock *block) const {
  auto found = numbers.find(block);
  if (found == numbers.end())
    return {};
  return before[found->second];
}

bool ThreadFlow::leadsThrough(const BasicBlock *block, const BasicBlock *through) const {
  auto found = numbers.find(through);
  return found != numbers.end() && later[numbers.lookup(block)].test(found->second);
}

bool ThreadFlow::decides(const BasicBlock *branch, const BasicBlock *block) const {
  if (branch != block && leadsThrough(branch, block))
    return false;
  return any_of(successors(branch),
                [&](const BasicBlock *next) { return leadsThrough(next, block); });
}

} // namespace cufc
