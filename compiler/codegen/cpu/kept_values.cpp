// See kept_values.h.
#include "codegen/cpu/kept_values.h"
#include "codegen/cpu/grid_elements.h"
#include "codegen/cpu/independent_accesses.h"
#include "cufrt/abi.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include <cstddef>

namespace cufc {

using namespace llvm;

namespace {

// Whether memory is of the frames, which the block's record, the first argument, leads to.
bool isOfFrames(const Value &address) {
  return isOfRecord(getUnderlyingObject(&address, 0), offsetof(cufrt_block, frames));
}

class Join {
public:
  Join(Loop &loop, BasicBlock &block, LoopInfo &loops, DominatorTree &dominators,
       AAResults &aliases)
      : loop(loop), block(block), loops(loops), dominators(dominators), aliases(aliases) {}

  bool run() {
    if (!isa<PHINode>(block.front()) || loop.getHeader() == &block || !readStores())
      return false;
    SmallVector<BasicBlock *> changing;
    for (BasicBlock *before : predecessors(&block))
      if (!all_of(stores, [&](StoreInst *store) { return keeps(*store, *before); }))
        changing.push_back(before);
    if (changing.empty() || changing.size() == pred_size(&block))
      return false;
    move(changing);
    return true;
  }

private:
  // All that the block does but compute, which nothing else in the loop reads or writes but loads
  // before.
  bool readStores() {
    for (Instruction &instruction : block) {
      auto *store = dyn_cast<StoreInst>(&instruction);
      if (!store && instruction.mayReadOrWriteMemory())
        return false;
      if (!store)
        continue;
      auto *value = dyn_cast<PHINode>(store->getValueOperand());
      auto *address = dyn_cast<Instruction>(store->getPointerOperand());
      if (!store->isSimple() || !value || value->getParent() != &block || !address ||
          address->getParent() == &block || !isOfFrames(*address) || isWrittenElsewhere(*store))
        return false;
      stores.push_back(store);
    }
    return !stores.empty();
  }

  bool isWrittenElsewhere(const StoreInst &store) const {
    const MemoryLocation object = objectOf(store);
    return any_of(loop.blocks(), [&](BasicBlock *other) {
      return any_of(*other, [&](Instruction &instruction) {
        return &instruction != &store && instruction.mayWriteToMemory() &&
               isModSet(aliases.getModRefInfo(&instruction, object));
      });
    });
  }

  // What comes from there was loaded from where it is stored.
  bool keeps(const StoreInst &store, const BasicBlock &before) const {
    auto *value = cast<PHINode>(store.getValueOperand());
    auto *load = dyn_cast<LoadInst>(value->getIncomingValueForBlock(&before));
    return load && loop.contains(load) && load->isSimple() &&
           load->getPointerOperand() == store.getPointerOperand();
  }

  void move(ArrayRef<BasicBlock *> changing) {
    BasicBlock *place = SplitBlockPredecessors(&block, changing, ".changed", &dominators, &loops);
    for (StoreInst *store : stores) {
      auto *value = cast<PHINode>(store->getValueOperand());
      store->setOperand(0, value->getIncomingValueForBlock(place));
      store->moveBefore(place->getTerminator()->getIterator());
    }
  }

  Loop &loop;
  BasicBlock &block;
  LoopInfo &loops;
  DominatorTree &dominators;
  AAResults &aliases;
  SmallVector<StoreInst *, 4> stores;
};

} // namespace

bool storeWhatChanges(Loop &threads, LoopInfo &loops, DominatorTree &dominators,
                      AAResults &aliases) {
  bool changed = false;
  for (BasicBlock *block : to_vector(threads.blocks()))
    if (loops.getLoopFor(block) == &threads)
      changed |= Join(threads, *block, loops, dominators, aliases).run();
  return changed;
}

} // namespace cufc
