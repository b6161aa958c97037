//   for x: if (a(x) < b(x)) { b(x) = a(x); changed = 1 }
//
// becomes
//
//   last = -1
//   for x: last = max(last, a(x) < b(x) ? x : -1), and b(x) = a(x) as before
//   if (last >= 0) changed = 1
//
// as where threads repeat something until nothing changes. LLVM makes no vectors of a loop that
// stores in one place under a condition; the other stores have masks. Nothing else in the loop may
// read or write that place. Who reads it behind the loop has the value by a phi in the loop, since
// LICM runs before; it is `last >= 0 ? 1 : changed` then.
#include "codegen/cpu/independent_accesses.h"
#include "codegen/cpu/last_thread.h"
#include "codegen/cpu/thread_bounds.h"
#include "codegen/cpu/thread_passes.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace cufc {
namespace {

using namespace llvm;

constexpr size_t mostInstructions = 300; // of the loop

class Flag {
public:
  Flag(Loop &threads, LoopInfo &loops, DominatorTree &dominators, AAResults &aliases)
      : threads(threads), loops(loops), dominators(dominators), aliases(aliases) {}

  bool run() {
    if (!threads.isInnermost() || !threads.getLoopLatch() || !readAccesses() || !findStores())
      return false;
    findValue();
    takeValueOut();
    plain = readThreadLoop(threads);
    if (!plain.x || threads.getExitingBlock() != plain.latch) {
      putValueBack();
      return false;
    }
    rewrite();
    return true;
  }

private:
  bool readAccesses() {
    size_t instructions = 0;
    for (BasicBlock *block : threads.blocks())
      for (Instruction &instruction : *block) {
        if (++instructions > mostInstructions)
          return false;
        if (!isa<NoAliasScopeDeclInst, DbgInfoIntrinsic>(instruction) &&
            (instruction.mayReadOrWriteMemory() || instruction.mayHaveSideEffects()))
          accesses.push_back(&instruction);
      }
    return true;
  }

  // Those of one value in one place that not all threads store, and nobody else looks at.
  bool findStores() {
    for (Instruction *access : accesses)
      if (auto *store = dyn_cast<StoreInst>(access); store && isFlag(*store)) {
        for (Instruction *other : accesses)
          if (isLikeIt(*other, *store))
            stores.push_back(cast<StoreInst>(other));
        return true;
      }
    return false;
  }

  bool isFlag(StoreInst &store) const {
    return store.isSimple() && threads.isLoopInvariant(store.getPointerOperand()) &&
           threads.isLoopInvariant(store.getValueOperand()) &&
           !dominators.dominates(store.getParent(), threads.getLoopLatch()) &&
           all_of(accesses, [&](Instruction *other) {
             return isLikeIt(*other, store) ||
                    aliases.getModRefInfo(other, objectOf(store)) == ModRefInfo::NoModRef;
           });
  }

  static bool isLikeIt(const Instruction &other, const StoreInst &store) {
    auto *same = dyn_cast<StoreInst>(&other);
    return same && same->isSimple() && same->getPointerOperand() == store.getPointerOperand() &&
           same->getValueOperand() == store.getValueOperand();
  }

  // What the flag is in each round, if the loop has that as a value.
  void findValue() {
    for (PHINode &phi : threads.getHeader()->phis()) {
      auto *merged = dyn_cast<PHINode>(phi.getIncomingValueForBlock(threads.getLoopLatch()));
      if (!merged || !threads.contains(merged) || !phi.hasOneUse() ||
          phi.getType() != stores.front()->getValueOperand()->getType())
        continue;
      auto isRight = [&](BasicBlock *from, Value *incoming) {
        const bool isSet =
            any_of(stores, [&](StoreInst *store) { return store->getParent() == from; });
        return incoming == (isSet ? stores.front()->getValueOperand() : &phi);
      };
      if (all_of(zip(merged->blocks(), merged->incoming_values()),
                 [&](const auto &way) { return isRight(std::get<0>(way), std::get<1>(way)); }) &&
          all_of(merged->users(), [&](User *user) {
            return user == &phi || !threads.contains(cast<Instruction>(user));
          })) {
        before = &phi;
        value = merged;
        return;
      }
    }
  }

  // A plain loop computes nothing that is used behind it, and has one phi.
  void takeValueOut() {
    if (!value)
      return;
    place = value->getParent();
    hold = new FreezeInst(PoisonValue::get(value->getType()), "",
                          threads.getLoopPreheader()->getTerminator()->getIterator());
    value->replaceUsesWithIf(hold, [&](Use &use) { return use.getUser() != before; });
    before->removeFromParent();
    value->removeFromParent();
  }

  void putValueBack() {
    if (!value)
      return;
    before->insertBefore(threads.getHeader()->getFirstNonPHIIt());
    value->insertBefore(place->begin());
    replaceHold(*value);
  }

  void replaceHold(Value &other) const {
    hold->replaceAllUsesWith(&other);
    hold->eraseFromParent();
  }

  void rewrite() {
    Value *start = value ? before->getIncomingValueForBlock(plain.preheader) : nullptr;
    BasicBlock *behind = SplitEdge(plain.latch, plain.exit, &dominators, &loops);
    BasicBlock *set = SplitBlock(behind, behind->getTerminator(), &dominators, &loops);
    BasicBlock *next = SplitBlock(set, set->getTerminator(), &dominators, &loops);
    LastThread last(plain);
    for (StoreInst *store : stores)
      last.comesTo(*store);
    IRBuilder<> builder(behind->getTerminator());
    Value *isSet = builder.CreateICmpSGE(last.number(builder), builder.getInt32(0));
    if (value) {
      replaceHold(*builder.CreateSelect(isSet, stores.front()->getValueOperand(), start));
      before->dropAllReferences();
      value->dropAllReferences();
      before->deleteValue();
      value->deleteValue();
    }
    builder.CreateCondBr(isSet, set, next);
    behind->getTerminator()->eraseFromParent();
    stores.front()->moveBefore(set->getTerminator()->getIterator());
    for (StoreInst *store : drop_begin(stores))
      store->eraseFromParent();
    dominators.recalculate(*behind->getParent());
    last.promote(dominators);
  }

  Loop &threads;
  LoopInfo &loops;
  DominatorTree &dominators;
  AAResults &aliases;
  PlainThreadLoop plain;
  SmallVector<Instruction *> accesses;
  SmallVector<StoreInst *, 2> stores;
  // Of the flag, at the start of a round and at its end.
  PHINode *before = nullptr, *value = nullptr;
  BasicBlock *place = nullptr; // of the value
  Instruction *hold = nullptr; // in the value's place behind the loop
};

} // namespace

bool collectFlag(Loop &threads, LoopInfo &loops, DominatorTree &dominators, AAResults &aliases) {
  return Flag(threads, loops, dominators, aliases).run();
}

} // namespace cufc
