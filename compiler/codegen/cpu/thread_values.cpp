//   for x: s = 0; for rounds: s += ..; b(x) = s
//
// becomes
//
//   for x: v(x) = 0
//   for x: for rounds: v(x) += ..
//   for x: b(x) = v(x)
//
// after which the loops of the second line may change places (thread_strides.cpp). What comes
// before the rounds is computed in all three again, but for stores. Threads that do not synchronise
// run in any order, and each does the same in the same order. Memory is for 1024 threads, the
// most of a block in a row (CUDA C++ programming guide, "Technical Specifications per Compute
// Capability"); rows of blocks are divided before (thread_strips.h).
#include "codegen/cpu/thread_values.h"
#include "codegen/branches.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

namespace cufc {
namespace {

using namespace llvm;

constexpr const char *threadValueMark = "cufc.thread_value";
constexpr size_t mostValues = 8;
constexpr uint64_t mostBytes = 16;

using Blocks = SetVector<BasicBlock *>;

// The blocks of a round over the threads from which the inner loop is reached.
Blocks blocksBefore(const Loop &threads, const Loop &inner) {
  Blocks before;
  before.insert(inner.getLoopPreheader());
  for (size_t i = 0; i < before.size(); ++i)
    if (before[i] != threads.getHeader())
      before.insert(pred_begin(before[i]), pred_end(before[i]));
  return before;
}

bool usesOwnMemory(const Loop &threads) {
  return any_of(threads.blocks(), [](const BasicBlock *block) {
    return any_of(*block, [](const Instruction &instruction) {
      return any_of(instruction.operands(), [](const Value *operand) {
        return operand->getType()->isPointerTy() &&
               isa<AllocaInst>(getUnderlyingObject(operand, 0)) && !isThreadValue(operand);
      });
    });
  });
}

// What is computed before the rounds is the same later; what is read there may only be what a
// carried value is at first, and what is written stays in the first loop.
bool isRepeatable(const Instruction &instruction, const Blocks &before, const Loop &inner,
                  bool maySeparateStores) {
  if (isa<NoAliasScopeDeclInst, DbgInfoIntrinsic>(instruction))
    return true;
  if (auto *store = dyn_cast<StoreInst>(&instruction))
    return maySeparateStores && store->isSimple();
  if (instruction.mayHaveSideEffects() || isa<AllocaInst>(instruction))
    return false;
  if (!instruction.mayReadFromMemory())
    return true;
  SetVector<const Instruction *> values;
  values.insert(&instruction);
  for (size_t i = 0; i < values.size(); ++i)
    for (const User *user : values[i]->users()) {
      auto *result = cast<Instruction>(user);
      if (isa<PHINode>(result) && result->getParent() == inner.getHeader())
        continue;
      if (!before.contains(const_cast<BasicBlock *>(result->getParent())) || result->isTerminator())
        return false;
      values.insert(result);
    }
  return true;
}

class Separation {
public:
  Separation(Loop &threads, Loop &inner, ArrayRef<PHINode *> carried, LoopInfo &loops,
             DominatorTree &dominators)
      : threads(threads), inner(inner), carried(carried), loops(loops), dominators(dominators),
        x(*cast<PHINode>(&threads.getHeader()->front())) {}

  void run() {
    exit = threads.getExitBlock();
    before = blocksBefore(threads, inner);
    makeMemory();
    splitEnd();
    BasicBlock *outside = threads.getLoopPreheader();
    BasicBlock *middle = SplitEdge(outside, threads.getHeader(), &dominators, &loops);
    ValueToValueMapTy first, last;
    BasicBlock *firstStart = copy(first, middle, *outside);
    BasicBlock *lastStart = copy(last, exit, *outside);
    outside->getTerminator()->replaceSuccessorWith(middle, firstStart);
    in<BasicBlock>(end, first)->getTerminator()->replaceSuccessorWith(exit, middle);
    end->getTerminator()->replaceSuccessorWith(exit, lastStart);
    ValueToValueMapTy itself;
    dropStores(last);
    dropStores(itself);
    keepStart(first);
    keepEnd(last);
    keepRounds();
  }

private:
  void makeMemory() {
    BasicBlock &entry = threads.getHeader()->getParent()->getEntryBlock();
    IRBuilder<> builder(&entry, entry.begin());
    for (PHINode *phi : carried) {
      AllocaInst *values = builder.CreateAlloca(ArrayType::get(phi->getType(), mostThreadsInRow));
      values->setAlignment(Align(64));
      markThreadValues(*values);
      memory.push_back(values);
    }
  }

  // The end of a round over the threads becomes a block that needs nothing but x.
  void splitEnd() {
    BasicBlock *latch = threads.getLoopLatch();
    auto *branch = conditionalBranch(latch->getTerminator());
    auto *test = cast<ICmpInst>(branch->getCondition());
    end = SplitBlock(latch, branch, &dominators, &loops);
    IRBuilder<> builder(branch);
    Value *next = builder.CreateAdd(&x, builder.getInt32(1), "", true, true);
    x.setIncomingValueForBlock(end, next);
    branch->setCondition(builder.CreateICmp(test->getPredicate(), next, test->getOperand(1)));
  }

  BasicBlock *copy(ValueToValueMapTy &map, BasicBlock *place, BasicBlock &dominator) {
    SmallVector<BasicBlock *, 8> made;
    Loop *loop = cloneLoopWithPreheader(place, &dominator, &threads, map, ".part", &loops,
                                        &dominators, made);
    remapInstructionsInBlocks(made, map);
    return loop->getLoopPreheader();
  }

  template <typename Kind>
  static Kind *in(Kind *value, const ValueToValueMapTy &map) {
    Value *copied = map.lookup(value);
    return copied ? cast<Kind>(copied) : value;
  }

  Value *element(IRBuilder<> &builder, size_t number, Value *index) {
    Type *type = memory[number]->getAllocatedType();
    Value *wide = builder.CreateZExt(index, builder.getInt64Ty());
    return builder.CreateInBoundsGEP(type, memory[number], {builder.getInt64(0), wide});
  }

  static void redirect(BasicBlock &from, BasicBlock *to, BasicBlock *instead) {
    to->removePredecessor(&from, /*KeepOneInputPHIs=*/true);
    from.getTerminator()->replaceSuccessorWith(to, instead);
  }

  // Ways past the rounds lead to the end.
  void dropRest(const ValueToValueMapTy &map) {
    BasicBlock *last = in(end, map);
    for (BasicBlock *block : before) {
      BasicBlock *here = in(block, map);
      for (BasicBlock *next : SmallVector<BasicBlock *, 2>(successors(block)))
        if (!before.contains(next) && !inner.contains(next) && in(next, map) != last)
          redirect(*here, in(next, map), last);
    }
  }

  void dropStores(const ValueToValueMapTy &map) {
    for (BasicBlock *block : before)
      for (Instruction &instruction : make_early_inc_range(*in(block, map)))
        if (isa<StoreInst>(instruction))
          instruction.eraseFromParent();
  }

  void dropUnreached(const ValueToValueMapTy &map) {
    Blocks reached;
    reached.insert(in(threads.getHeader(), map));
    for (size_t i = 0; i < reached.size(); ++i)
      reached.insert(succ_begin(reached[i]), succ_end(reached[i]));
    std::vector<BasicBlock *> dead;
    for (BasicBlock *block : threads.blocks())
      if (!reached.contains(in(block, map)))
        dead.push_back(in(block, map));
    DeleteDeadBlocks(dead);
    for (BasicBlock *block : reverse(before))
      if (reached.contains(in(block, map)))
        for (Instruction &instruction : make_early_inc_range(reverse(*in(block, map))))
          if (isInstructionTriviallyDead(&instruction))
            instruction.eraseFromParent();
  }

  void keepStart(const ValueToValueMapTy &map) {
    BasicBlock *start = inner.getLoopPreheader(), *here = in(start, map);
    IRBuilder<> builder(here->getTerminator());
    for (auto [number, phi] : enumerate(carried))
      builder.CreateStore(in(phi->getIncomingValueForBlock(start), map),
                          element(builder, number, in<PHINode>(&x, map)));
    redirect(*here, in(inner.getHeader(), map), in(end, map));
    dropRest(map);
    dropUnreached(map);
  }

  void keepEnd(const ValueToValueMapTy &map) {
    BasicBlock *here = in(inner.getLoopPreheader(), map), *behind = in(inner.getExitBlock(), map);
    BasicBlock *header = in(inner.getHeader(), map);
    IRBuilder<> builder(here->getTerminator());
    for (auto [number, phi] : enumerate(carried))
      in(phi, map)->replaceAllUsesWith(
          builder.CreateLoad(phi->getType(), element(builder, number, in<PHINode>(&x, map))));
    for (PHINode &phi : behind->phis())
      phi.addIncoming(phi.getIncomingValueForBlock(header), here);
    redirect(*here, header, behind);
    dropUnreached(map);
  }

  // Behind the question whether there is another round, if that asks for no carried value.
  BasicBlock *bodyOfRounds() const {
    BasicBlock *header = inner.getHeader();
    const bool asks = any_of(carried, [&](const PHINode *phi) {
      return any_of(phi->users(), [&](const User *user) {
        return !isa<PHINode>(user) && cast<Instruction>(user)->getParent() == header;
      });
    });
    for (BasicBlock *next : successors(header))
      if (!asks && inner.contains(next) && next->getSinglePredecessor())
        return next;
    return header;
  }

  void keepRounds() {
    BasicBlock *header = inner.getHeader(), *latch = inner.getLoopLatch();
    BasicBlock *body = bodyOfRounds();
    for (auto [number, phi] : enumerate(carried)) {
      IRBuilder<> builder(latch->getTerminator());
      builder.CreateStore(phi->getIncomingValueForBlock(latch), element(builder, number, &x));
      builder.SetInsertPoint(body, body->getFirstInsertionPt());
      phi->replaceAllUsesWith(builder.CreateLoad(phi->getType(), element(builder, number, &x)));
    }
    redirect(*header, inner.getExitBlock(), end);
    for (PHINode *phi : carried)
      phi->eraseFromParent();
    ValueToValueMapTy itself;
    dropRest(itself);
    dropUnreached(itself);
  }

  Loop &threads;
  Loop &inner;
  ArrayRef<PHINode *> carried;
  LoopInfo &loops;
  DominatorTree &dominators;
  PHINode &x;
  BasicBlock *exit = nullptr, *end = nullptr;
  Blocks before;
  std::vector<AllocaInst *> memory; // of each carried value
};

} // namespace

void markThreadValues(AllocaInst &memory) {
  memory.setMetadata(threadValueMark, MDNode::get(memory.getContext(), {}));
}

bool isThreadValue(const Value *address) {
  auto *memory = dyn_cast<AllocaInst>(getUnderlyingObject(address, 0));
  return memory && memory->hasMetadata(threadValueMark);
}

bool canSeparateRounds(const Loop &threads, const Loop &inner, ArrayRef<PHINode *> carried) {
  auto *branch = conditionalBranch(threads.getLoopLatch()->getTerminator());
  auto *test = branch ? dyn_cast<ICmpInst>(branch->getCondition()) : nullptr;
  BasicBlock *behind = inner.getExitBlock();
  if (!test || test->getPredicate() != ICmpInst::ICMP_SLT ||
      branch->getSuccessor(0) != threads.getHeader() ||
      !threads.isLoopInvariant(test->getOperand(1)) ||
      inner.getExitingBlock() != inner.getHeader() ||
      behind->getSinglePredecessor() != inner.getHeader() || carried.size() > mostValues)
    return false;
  const DataLayout &layout = behind->getDataLayout();
  for (const PHINode *phi : carried)
    if (layout.getTypeAllocSize(phi->getType()) > mostBytes)
      return false;
  Blocks before = blocksBefore(threads, inner);
  bool maySeparateStores = !usesOwnMemory(threads);
  return all_of(before, [&](const BasicBlock *block) {
    return all_of(*block, [&](const Instruction &instruction) {
      return isRepeatable(instruction, before, inner, maySeparateStores);
    });
  });
}

void separateRounds(Loop &threads, Loop &inner, ArrayRef<PHINode *> carried, LoopInfo &loops,
                    DominatorTree &dominators) {
  Separation(threads, inner, carried, loops, dominators).run();
}

} // namespace cufc
