//   for y: for x: for (j = y; j <= n; j += 8) body(x, j)
//
// becomes
//
//   for y: for (j = y; j <= n; j += 8) for x: body(x, j)
//
// where neighbours in memory are those of x (loops in the body of a few rounds are unrolled, and
// threads run others together that all of them run equally often), or
// where the body is a loop over further elements in the same way, as a tile with its halo is
// loaded:
//
//   do j = threadIdx%y, 12, 8;  do i = threadIdx%x, 36, 32;  tile(i, j) = ...
//
// of which thread_strides.cpp does the rest. Each thread does the same in the same order, and
// threads between barriers run in any order (CUDA C++ programming guide, "Thread Hierarchy"). The
// loop may carry nothing from round to round but its counters, and values that can be loaded again
// (carried_loads.h): then it goes over planes, and comes around the loops over y and z, too.
#include "codegen/branches.h"
#include "codegen/cpu/carried_loads.h"
#include "codegen/cpu/loop_versions.h"
#include "codegen/cpu/thread_bounds.h"
#include "codegen/cpu/thread_passes.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"
#include <memory>

namespace cufc {
namespace {

using namespace llvm;
using namespace llvm::PatternMatch;

class Nest {
public:
  Nest(Loop &threads, LoopInfo &loops, DominatorTree &dominators, ScalarEvolution &evolution,
       AAResults &aliases)
      : threads(threads), loops(loops), dominators(dominators), evolution(evolution),
        aliases(aliases), expander(evolution, "nest") {}

  bool run() {
    if (!hasShape() || !readCounters() || !readCondition() || !readCarried() || !isAlone() ||
        !pays())
      return false;
    if (!carried->empty()) {
      carried->readAgain(counters);
      while (canGoAround(*outer))
        outer = outer->getParentLoop();
    }
    rewrite();
    return true;
  }

private:
  bool hasShape() {
    before = threads.getLoopPreheader();
    exit = threads.getExitBlock();
    if (exit) // of loops around this one
      FoldSingleEntryPHINodes(exit);
    auto *x = dyn_cast<PHINode>(&threads.getHeader()->front());
    if (!before || !exit || isa<PHINode>(exit->front()) || isUsedBehind(threads) || !x ||
        isa<PHINode>(x->getNextNode()) || threads.getSubLoops().size() != 1 ||
        threads.getExitingBlock() != threads.getLoopLatch())
      return false;
    inner = threads.getSubLoops().front();
    latch = inner->getLoopLatch();
    behind = inner->getExitBlock();
    if (behind)
      FoldSingleEntryPHINodes(behind);
    const bool isFlat = inner->isInnermost();
    if (!isFlat && (inner->getSubLoops().size() != 1 || !inner->getSubLoops()[0]->isInnermost()))
      return false;
    return latch && behind && inner->getLoopPreheader() &&
           inner->getExitingBlock() == inner->getHeader();
  }

  bool isBefore(const Value *value) const {
    auto *instruction = dyn_cast<Instruction>(value);
    return !instruction || dominators.dominates(instruction, before->getTerminator());
  }

  bool readCounters() {
    carried = std::make_unique<CarriedLoads>(*inner, evolution);
    for (PHINode &phi : inner->getHeader()->phis()) {
      auto *next = dyn_cast<BinaryOperator>(phi.getIncomingValueForBlock(latch));
      const SCEV *first =
          evolution.getSCEV(phi.getIncomingValueForBlock(inner->getLoopPreheader()));
      if (!phi.getType()->isIntegerTy() || !next ||
          (next->getOpcode() != Instruction::Add && next->getOpcode() != Instruction::Sub) ||
          next->getOperand(0) != &phi || !isBefore(next->getOperand(1))) {
        carried->add(phi);
        continue;
      }
      if (!evolution.isLoopInvariant(first, &threads) ||
          !expander.isSafeToExpandAt(first, before->getTerminator()))
        return false;
      counters.push_back({&phi, next->getOpcode(), next->getOperand(1)});
      firsts.push_back(first);
    }
    return !counters.empty();
  }

  bool readCarried() {
    return carried->empty() || carried->canReadAgain(threads, counters, aliases);
  }

  bool readCondition() {
    branch = conditionalBranch(inner->getHeader()->getTerminator());
    comparison = branch ? dyn_cast<ICmpInst>(branch->getCondition()) : nullptr;
    return comparison && branch->getSuccessor(1) == behind &&
           any_of(counters,
                  [&](const RoundCounter &counter) {
                    return counter.number == comparison->getOperand(0);
                  }) &&
           isBefore(comparison->getOperand(1));
  }

  static bool isHarmless(const Instruction &instruction) {
    return isa<NoAliasScopeDeclInst, DbgInfoIntrinsic>(instruction) ||
           !(instruction.mayReadOrWriteMemory() || instruction.mayHaveSideEffects());
  }

  // Around the loop nothing is done but computed, and nobody else sees what is computed in it.
  bool isAlone() const {
    for (BasicBlock *block : threads.blocks())
      for (Instruction &instruction : *block) {
        if (!inner->contains(block)) {
          if (!isHarmless(instruction) && !carried->isFirst(instruction))
            return false;
          continue;
        }
        if ((block == inner->getHeader() && !isHarmless(instruction)) ||
            isa<AllocaInst>(instruction) || instruction.isAtomic() || instruction.isVolatile())
          return false;
        for (User *user : instruction.users())
          if (!inner->contains(cast<Instruction>(user)))
            return false;
      }
    return true;
  }

  // From thread to thread, or from round to round.
  std::optional<int64_t> distance(const SCEV *of, const Loop &loop) const {
    auto *recurrence = dyn_cast<SCEVAddRecExpr>(of);
    while (recurrence && recurrence->getLoop() != &loop)
      recurrence = dyn_cast<SCEVAddRecExpr>(recurrence->getStart());
    auto *step =
        recurrence ? dyn_cast<SCEVConstant>(recurrence->getStepRecurrence(evolution)) : nullptr;
    return step ? std::optional(step->getAPInt().getSExtValue()) : std::nullopt;
  }

  // A subscript of 32 bits in place of the address it is extended for, which may go round for all
  // that is known.
  bool areNeighbours(Value &pointer, uint64_t size, const Loop &loop) const {
    auto *element = dyn_cast<GetElementPtrInst>(&pointer);
    Value *subscript = nullptr;
    const DataLayout &layout = threads.getHeader()->getDataLayout();
    if (element && element->getNumIndices() == 1 &&
        match(element->getOperand(1), m_SExt(m_Value(subscript))) &&
        layout.getTypeAllocSize(element->getSourceElementType()) == size)
      return distance(evolution.getSCEV(subscript), loop) == 1;
    return distance(evolution.getSCEV(&pointer), loop) == static_cast<int64_t>(size);
  }

  bool pays() const {
    constexpr unsigned unrolled = 16; // rounds
    return all_of(inner->getSubLoops(),
                  [&](Loop *loop) {
                    unsigned rounds = evolution.getSmallConstantTripCount(loop);
                    return (rounds > 0 && rounds <= unrolled) || runsAlike(*loop);
                  })
               ? hasNeighbours()
               : hasStridedLoop();
  }

  // All threads equally often, which thread_jam.cpp has run it together then.
  bool runsAlike(Loop &loop) const {
    const SCEV *count = evolution.getBackedgeTakenCount(&loop);
    return !isa<SCEVCouldNotCompute>(count) && evolution.isLoopInvariant(count, &threads);
  }

  bool hasNeighbours() const {
    unsigned ofThreads = 0, ofRounds = 0;
    bool stores = false;
    for (BasicBlock *block : inner->blocks())
      for (Instruction &instruction : *block) {
        Value *pointer = getLoadStorePointerOperand(&instruction);
        if (!pointer)
          continue;
        const uint64_t size =
            threads.getHeader()->getDataLayout().getTypeStoreSize(getLoadStoreType(&instruction));
        const bool isOfThreads = areNeighbours(*pointer, size, threads);
        ofThreads += isOfThreads;
        ofRounds += areNeighbours(*pointer, size, *inner);
        stores |= isOfThreads && isa<StoreInst>(instruction);
      }
    return stores && ofThreads > ofRounds;
  }

  bool hasStridedLoop() const {
    Loop *strided = inner->getSubLoops()[0];
    BasicBlock *start = strided->getLoopPreheader();
    return start && any_of(strided->getHeader()->phis(), [&](PHINode &phi) {
             if (!phi.getType()->isIntegerTy())
               return false;
             auto *first =
                 dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(phi.getIncomingValueForBlock(start)));
             return first && first->getLoop() == &threads &&
                    first->getStepRecurrence(evolution)->isOne();
           });
  }

  // A loop over y or z that does nothing beside and whose threads have the same rounds.
  bool canGoAround(Loop &loop) {
    Loop *around = loop.getParentLoop();
    if (!around || !isLineLoop(*around) || around->getSubLoops().size() != 1 ||
        around->getExitingBlock() != around->getLoopLatch())
      return false;
    const BasicBlock *start = around->getLoopPreheader();
    const BasicBlock *end = around->getExitBlock();
    if (!start || !end || isa<PHINode>(end->front()) || isUsedBehind(*around))
      return false;
    auto isKnown = [&](const Value *value) {
      auto *instruction = dyn_cast<Instruction>(value);
      return !instruction || dominators.dominates(instruction, start->getTerminator());
    };
    return isKnown(comparison->getOperand(1)) &&
           all_of(counters, [&](const RoundCounter &counter) { return isKnown(counter.step); }) &&
           all_of(firsts,
                  [&](const SCEV *first) {
                    return evolution.isLoopInvariant(first, around) &&
                           expander.isSafeToExpandAt(first, start->getTerminator());
                  }) &&
           all_of(around->blocks(), [&](const BasicBlock *block) {
             return loop.contains(block) || all_of(*block, isHarmless);
           });
  }

  void rewrite() {
    before = outer->getLoopPreheader();
    exit = outer->getExitBlock();
    SmallVector<Value *> starts;
    for (auto [counter, first] : zip(counters, firsts))
      starts.push_back(
          expander.expandCodeFor(first, counter.number->getType(), before->getTerminator()));
    BasicBlock *entry = SplitEdge(before, outer->getHeader(), &dominators, &loops);
    LLVMContext &context = before->getContext();
    BasicBlock *round = BasicBlock::Create(context, "round", before->getParent(), entry);
    BasicBlock *next = BasicBlock::Create(context, "next", before->getParent(), exit);
    before->getTerminator()->replaceSuccessorWith(entry, round);
    outer->getLoopLatch()->getTerminator()->replaceSuccessorWith(exit, next);
    IRBuilder<> heads(round), builder(next);
    Value *compared = nullptr;
    for (auto [counter, first] : zip(counters, starts)) {
      PHINode *number = heads.CreatePHI(counter.number->getType(), 2);
      number->addIncoming(first, before);
      number->addIncoming(builder.CreateBinOp(counter.operation, number, counter.step), next);
      if (counter.number == comparison->getOperand(0))
        compared = number;
      counter.number->replaceAllUsesWith(number);
    }
    builder.CreateBr(round);
    heads.CreateCondBr(
        heads.CreateICmp(comparison->getPredicate(), compared, comparison->getOperand(1)), entry,
        exit);
    branch->setCondition(ConstantInt::getTrue(context));
    for (const RoundCounter &counter : counters)
      counter.number->eraseFromParent();
    latch->getTerminator()->eraseFromParent();
    Jump::Create(behind, latch);
  }

  Loop &threads;
  LoopInfo &loops;
  DominatorTree &dominators;
  ScalarEvolution &evolution;
  AAResults &aliases;
  SCEVExpander expander;
  Loop *inner = nullptr, *outer = &threads; // which the inner one comes around
  BasicBlock *before = nullptr, *exit = nullptr, *latch = nullptr, *behind = nullptr;
  ConditionalBranch *branch = nullptr; // that leaves the loop, and what decides it
  ICmpInst *comparison = nullptr;
  SmallVector<RoundCounter, 2> counters;
  SmallVector<const SCEV *, 2> firsts; // of the counters
  std::unique_ptr<CarriedLoads> carried;
};

} // namespace

bool putThreadsInside(Loop &threads, LoopInfo &loops, DominatorTree &dominators,
                      ScalarEvolution &evolution, AAResults &aliases) {
  return Nest(threads, loops, dominators, evolution, aliases).run();
}

} // namespace cufc
