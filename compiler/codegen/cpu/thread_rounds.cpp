//   for x:                                    for x: best(x) = ..; which(x) = 0
//     best = ..; which = 0                    for k: for x:
//     for k:                                    t = f(x,k)
//       t = f(x,k)                      =>      if (t < best(x)) { best(x) = t; which(x) = k }
//       if (t < best) { best = t; which = k } for x: if (which(x) > 0) light(x) = ..
//     if (which > 0) light(x) = ..
//
// thread_jam.cpp and thread_columns.cpp have no conditions of single threads around or in the loop
// over k. Here LLVM's loop vectoriser gets loops over threads alone. What a thread computes before
// its loop, reals and what is loaded, is kept in memory, too. It pays where what the loop reads is
// the same for all threads or lies side by side for them. Threads of a block that do not
// synchronise run in any order (CUDA C++ programming guide, "Thread Hierarchy"), and each does the
// same in the same order.
#include "codegen/branches.h"
#include "codegen/cpu/loop_versions.h"
#include "codegen/cpu/thread_bounds.h"
#include "codegen/cpu/thread_passes.h"
#include "codegen/cpu/thread_strips.h"
#include "codegen/cpu/thread_values.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

namespace cufc {
namespace {

using namespace llvm;
using namespace llvm::PatternMatch;

constexpr size_t operationsOfValue = 1;  // for each one in memory
constexpr uint64_t threadsAtATime = 256; // whose values stay in the first cache

class EqualRounds {
public:
  EqualRounds(Loop &threads, LoopInfo &loops, DominatorTree &dominators, ScalarEvolution &evolution)
      : threads(threads), loops(loops), dominators(dominators), evolution(evolution) {}

  bool run() {
    if (!hasShape() || !hasConditions())
      return false;
    bool changed = levelCounters();
    if (!readPhis() || !isVectorisable() || !onlyCarriedLeaves())
      return changed;
    changed |= carryValues();
    if (operations < operationsOfValue * carried.size() || !canLimitThreads(threads) ||
        !canSeparateRounds(threads, *inner, carried))
      return changed;
    limitThreads(threads, threadsAtATime, loops, dominators, evolution);
    separateRounds(threads, *inner, carried, loops, dominators);
    return true;
  }

private:
  bool hasShape() {
    BasicBlock *exit = threads.getExitBlock();
    if (exit)
      FoldSingleEntryPHINodes(exit);
    auto *x = dyn_cast<PHINode>(&threads.getHeader()->front());
    if (!threads.getLoopPreheader() || !exit || isa<PHINode>(exit->front()) ||
        isUsedBehind(threads) || !x || isa<PHINode>(x->getNextNode()) ||
        threads.getSubLoops().size() != 1 || threads.getExitingBlock() != threads.getLoopLatch())
      return false;
    inner = threads.getSubLoops().front();
    if (!inner->isInnermost() || !inner->getLoopLatch() || !inner->getLoopPreheader() ||
        inner->getExitingBlock() != inner->getHeader())
      return false;
    FoldSingleEntryPHINodes(inner->getExitBlock());
    const SCEV *count = evolution.getBackedgeTakenCount(inner);
    return !isa<SCEVCouldNotCompute>(count) && evolution.isLoopInvariant(count, &threads);
  }

  // Behind the loop or in it, of single threads.
  bool hasConditions() const {
    return any_of(threads.blocks(), [&](BasicBlock *block) {
      auto *branch = conditionalBranch(block->getTerminator());
      return branch && block != inner->getHeader() && block != threads.getLoopLatch() &&
             dominators.dominates(inner->getHeader(), block) &&
             !threads.isLoopInvariant(branch->getCondition());
    });
  }

  // A counter that begins one further in each thread, as of a window around it, becomes one that
  // begins alike, and the thread's index.
  bool levelCounters() {
    auto *x = cast<PHINode>(&threads.getHeader()->front());
    BasicBlock *before = threads.getLoopPreheader(), *start = inner->getLoopPreheader();
    SCEVExpander expander(evolution, "level");
    bool changed = false;
    for (PHINode &phi : make_early_inc_range(inner->getHeader()->phis())) {
      Value *step = nullptr, *next = phi.getIncomingValueForBlock(inner->getLoopLatch());
      if (phi.getType() != x->getType() || !match(x->getIncomingValueForBlock(before), m_Zero()) ||
          !match(next, m_NSWAdd(m_Specific(&phi), m_Value(step))) || !next->hasOneUse() ||
          !threads.isLoopInvariant(step))
        continue;
      auto *first =
          dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(phi.getIncomingValueForBlock(start)));
      if (!first || first->getLoop() != &threads || !first->isAffine() ||
          !first->getStepRecurrence(evolution)->isOne() ||
          !expander.isSafeToExpandAt(first->getStart(), before->getTerminator()))
        continue;
      Value *alike =
          expander.expandCodeFor(first->getStart(), phi.getType(), before->getTerminator());
      IRBuilder<> builder(inner->getHeader(), inner->getHeader()->getFirstInsertionPt());
      Value *sum = builder.CreateNSWAdd(&phi, x);
      phi.replaceUsesWithIf(
          sum, [&](const Use &use) { return use.getUser() != next && use.getUser() != sum; });
      phi.setIncomingValueForBlock(start, alike);
      changed = true;
    }
    if (changed)
      evolution.forgetLoop(&threads);
    return changed;
  }

  // Counters are left to the loop over the rounds.
  bool readPhis() {
    bool counts = false;
    for (PHINode &phi : inner->getHeader()->phis()) {
      const SCEV *first =
          evolution.getSCEV(phi.getIncomingValueForBlock(inner->getLoopPreheader()));
      Value *next = phi.getIncomingValueForBlock(inner->getLoopLatch()), *step = nullptr;
      const bool counter = phi.getType()->isIntegerTy() && !leavesInner(phi) &&
                           (match(next, m_Add(m_Specific(&phi), m_Value(step))) ||
                            match(next, m_Sub(m_Specific(&phi), m_Value(step)))) &&
                           threads.isLoopInvariant(step);
      if (!counter)
        carried.push_back(&phi);
      else if (!evolution.isLoopInvariant(first, &threads))
        return false;
      counts |= counter;
    }
    return counts;
  }

  bool leavesInner(const Instruction &value) const {
    return any_of(value.users(),
                  [&](const User *user) { return !inner->contains(cast<Instruction>(user)); });
  }

  bool onlyCarriedLeaves() const {
    return all_of(inner->blocks(), [&](BasicBlock *block) {
      return all_of(*block, [&](Instruction &instruction) {
        return !leavesInner(instruction) || is_contained(carried, dyn_cast<PHINode>(&instruction));
      });
    });
  }

  bool isVectorisable() {
    for (BasicBlock *block : threads.blocks())
      for (Instruction &instruction : *block) {
        if (usesOwnMemory(instruction))
          return false;
        if (!inner->contains(block) || isa<NoAliasScopeDeclInst, DbgInfoIntrinsic>(instruction))
          continue;
        if (Value *address = getLoadStorePointerOperand(&instruction)) {
          if (!isSimple(instruction) || !isUniformOrNext(*address, instruction))
            return false;
        } else if (instruction.mayReadOrWriteMemory() || instruction.mayThrow() ||
                   !instruction.willReturn()) {
          return false;
        }
        operations += instruction.getType()->isFloatingPointTy() && !isa<LoadInst>(instruction) &&
                      !isa<PHINode>(instruction);
      }
    return true;
  }

  static bool usesOwnMemory(const Instruction &instruction) {
    return any_of(instruction.operands(), [](const Value *operand) {
      return operand->getType()->isPointerTy() &&
             isa<AllocaInst>(getUnderlyingObject(operand, 0)) && !isThreadValue(operand);
    });
  }

  static bool isSimple(const Instruction &instruction) {
    auto *load = dyn_cast<LoadInst>(&instruction);
    return load ? load->isSimple() : cast<StoreInst>(instruction).isSimple();
  }

  // For all threads, or for neighbours.
  bool isUniformOrNext(Value &address, const Instruction &access) {
    const TypeSize size = access.getDataLayout().getTypeStoreSize(getLoadStoreType(&access));
    if (isUniform(address))
      return isa<LoadInst>(access);
    return threadDistance(*evolution.getSCEV(&address), threads, evolution) ==
           static_cast<int64_t>(size.getFixedValue());
  }

  // The same for all threads in each round.
  bool isUniform(Value &address) {
    return !SCEVExprContains(evolution.getSCEV(&address), [&](const SCEV *part) {
      if (auto *recurrence = dyn_cast<SCEVAddRecExpr>(part))
        return recurrence->getLoop() == &threads;
      auto *value = dyn_cast<SCEVUnknown>(part);
      return isa<SCEVCouldNotCompute>(part) ||
             (value && !threads.isLoopInvariant(value->getValue()));
    });
  }

  // Has the loop carry what a thread computes before it.
  bool carryValues() {
    SmallVector<Instruction *> values;
    for (BasicBlock *block : threads.blocks())
      if (dominators.dominates(block, inner->getLoopPreheader()))
        for (Instruction &value : *block)
          if ((value.getType()->isFloatingPointTy() || isa<LoadInst>(value)) &&
              any_of(value.uses(), [&](const Use &use) { return isLater(use); }))
            values.push_back(&value);
    for (Instruction *value : values) {
      PHINode *phi = PHINode::Create(value->getType(), 2, "", inner->getHeader()->begin());
      value->replaceUsesWithIf(phi, [&](const Use &use) { return isLater(use); });
      phi->addIncoming(value, inner->getLoopPreheader());
      phi->addIncoming(phi, inner->getLoopLatch());
      carried.push_back(phi);
    }
    return !values.empty();
  }

  // In the loop or behind it.
  bool isLater(const Use &use) const {
    auto *user = cast<Instruction>(use.getUser());
    return !(isa<PHINode>(user) && user->getParent() == inner->getHeader()) &&
           dominators.dominates(inner->getHeader(), user->getParent());
  }

  Loop &threads;
  LoopInfo &loops;
  DominatorTree &dominators;
  ScalarEvolution &evolution;
  Loop *inner = nullptr;
  SmallVector<PHINode *> carried;
  size_t operations = 0; // with reals, in the loop
};

} // namespace

bool separateEqualRounds(Loop &threads, LoopInfo &loops, DominatorTree &dominators,
                         ScalarEvolution &evolution) {
  return EqualRounds(threads, loops, dominators, evolution).run();
}

} // namespace cufc
