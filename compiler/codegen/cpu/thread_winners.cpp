//   for x: if (a(x) == key) found = b(x)
//
// becomes
//
//   last = -1
//   for x: last = max(last, a(x) == key ? x : -1)
//   if (last >= 0) found = b(last)
//
// as in searches. Threads that do not synchronise run in any order (CUDA C++ programming guide,
// "Thread Hierarchy"), and here they do so in that of x: the last one that stores is the one whose
// values stay. Nothing else may be stored in the loop, and nothing of it read there.
#include "codegen/branches.h"
#include "codegen/cpu/independent_accesses.h"
#include "codegen/cpu/last_thread.h"
#include "codegen/cpu/loop_versions.h"
#include "codegen/cpu/thread_bounds.h"
#include "codegen/cpu/thread_passes.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

namespace cufc {
namespace {

using namespace llvm;

constexpr size_t mostInstructions = 100; // of the loop, which is copied

class Winner {
public:
  Winner(Loop &threads, LoopInfo &loops, DominatorTree &dominators, AAResults &aliases)
      : threads(threads), loops(loops), dominators(dominators), aliases(aliases) {}

  bool run() {
    if (!threads.isInnermost() || !findStores() || !areApart())
      return false;
    plain = readThreadLoop(threads);
    if (!plain.x || threads.getExitingBlock() != plain.latch)
      return false;
    rewrite();
    return true;
  }

private:
  // All in one block that some threads pass.
  bool findStores() {
    size_t instructions = 0;
    for (BasicBlock *block : threads.blocks())
      for (Instruction &instruction : *block) {
        if (++instructions > mostInstructions)
          return false;
        if (isa<NoAliasScopeDeclInst, DbgInfoIntrinsic>(instruction))
          continue;
        if (auto *load = dyn_cast<LoadInst>(&instruction); load && load->isSimple()) {
          loads.push_back(load);
          continue;
        }
        if (!instruction.mayReadOrWriteMemory() && !instruction.mayHaveSideEffects())
          continue;
        auto *store = dyn_cast<StoreInst>(&instruction);
        if (!store || !store->isSimple() || !threads.isLoopInvariant(store->getPointerOperand()) ||
            (place && place != block))
          return false;
        place = block;
        stores.push_back(store);
      }
    return place && threads.getLoopLatch() && !dominators.dominates(place, threads.getLoopLatch());
  }

  bool areApart() const {
    return all_of(stores, [&](StoreInst *store) {
      const MemoryLocation object = objectOf(*store);
      return all_of(loads,
                    [&](LoadInst *load) { return !isRefSet(aliases.getModRefInfo(load, object)); });
    });
  }

  void rewrite() {
    plain.preheader = SplitEdge(plain.preheader, threads.getHeader(), &dominators, &loops);
    BasicBlock *behind = SplitEdge(plain.latch, plain.exit, &dominators, &loops);
    ValueToValueMapTy map;
    SmallVector<BasicBlock *, 8> made;
    Loop *alone = cloneLoopWithPreheader(behind, plain.latch, &threads, map, ".winner", &loops,
                                         &dominators, made);
    remapInstructionsInBlocks(made, map);
    for (StoreInst *store : stores)
      store->eraseFromParent();
    LastThread last(plain);
    last.comesTo(*place->getTerminator());
    runAlone(*alone, map, *behind, last);
    dominators.recalculate(*behind->getParent());
    last.promote(dominators);
  }

  // Behind the loop, the thread that was found.
  void runAlone(Loop &alone, const ValueToValueMapTy &map, BasicBlock &behind,
                const LastThread &last) {
    BasicBlock *entry = alone.getLoopPreheader();
    BasicBlock *found = BasicBlock::Create(behind.getContext(), "found", behind.getParent(), entry);
    plain.latch->getTerminator()->replaceSuccessorWith(&behind, found);
    IRBuilder<> builder(found);
    Value *number = last.number(builder);
    builder.CreateCondBr(builder.CreateICmpSGE(number, builder.getInt32(0)), entry, &behind);
    builder.SetInsertPoint(entry->getTerminator());
    Value *next = builder.CreateAdd(number, builder.getInt32(1), "", true, true);
    cast<PHINode>(map.lookup(plain.x))->setIncomingValueForBlock(entry, number);
    cast<ICmpInst>(map.lookup(plain.test))->setOperand(1, next);
    alone.getLoopLatch()->getTerminator()->setMetadata(threadLoopMark, nullptr);
    addStringMetadataToLoop(&alone, "llvm.loop.vectorize.enable", 0);
    addStringMetadataToLoop(&alone, "llvm.loop.unroll.disable", 1);
  }

  Loop &threads;
  LoopInfo &loops;
  DominatorTree &dominators;
  AAResults &aliases;
  PlainThreadLoop plain;
  BasicBlock *place = nullptr; // of the stores
  SmallVector<StoreInst *, 4> stores;
  SmallVector<LoadInst *, 8> loads;
};

} // namespace

bool findWinner(Loop &threads, LoopInfo &loops, DominatorTree &dominators, AAResults &aliases) {
  return Winner(threads, loops, dominators, aliases).run();
}

} // namespace cufc
