//   for x in 0..size: a; if (i <= n) b; c
//
// becomes, with `end` the first x for which i > n,
//
//   for x in 0..end: a; b; c
//   for x in end..size: a; c
//
// and a loop in front of these for conditions that hold from some x on. min(i, n) and max(i, n) of
// subscripts are such conditions, 1 in place of n + 1, and i in place of i + 1, too. Then
// subscripts go up without a condition, and LLVM needs no masks. Where i may leave its type, a copy
// of the loop as it was runs. Threads that do not synchronise run in any order. The same is done
// where b is a loop that all threads run equally often, as for sums of which a block stores those
// of the threads behind the end of an array, too.
#include "codegen/branches.h"
#include "codegen/cpu/loop_versions.h"
#include "codegen/cpu/thread_bounds.h"
#include "codegen/cpu/thread_passes.h"
#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace cufc {
namespace {

using namespace llvm;
using namespace llvm::PatternMatch;

constexpr size_t mostInstructions = 160; // of a loop, which is copied up to three times
constexpr size_t mostBlocks = 400;       // of the function

class ThreadSplit {
public:
  ThreadSplit(Loop &loop, LoopInfo &loops, DominatorTree &dominators, ScalarEvolution &evolution)
      : loop(loop), loops(loops), dominators(dominators), evolution(evolution) {}

  bool run() {
    if (isLarge())
      return false;
    plain = readThreadLoop(loop);
    if (!plain.x || !(loop.isInnermost() ? findBranch() : findGuardOfRounds()))
      return false;
    divide();
    return true;
  }

private:
  bool isLarge() const {
    return instructionsOf(loop) > mostInstructions ||
           loop.getHeader()->getParent()->size() > mostBlocks;
  }

  // One that depends on the thread, or else one that is the same for all, which comes before the
  // loop so.
  bool findBranch() {
    for (bool onThread : {true, false})
      for (BasicBlock *block : loop.blocks()) {
        if (!dominators.dominates(block, plain.latch)) // others may compute what they must not
          continue;
        for (Instruction &instruction : *block)
          if (onThread && isClamp(instruction) && canDivide(instruction, onThread))
            return true;
        auto *end = conditionalBranch(block->getTerminator());
        if (!end || block == plain.latch)
          continue;
        if ((onThread || hasTwoWays(*end)) && canDivide(*end, onThread))
          return true;
        if (onThread && canDivideByPart(end->getCondition()))
          return true;
      }
    return false;
  }

  // Of the only loop that threads run, equally often: where all of them come to it, they run it
  // together (thread_jam.h).
  bool findGuardOfRounds() {
    if (loop.getSubLoops().size() != 1)
      return false;
    const Loop *rounds = loop.getSubLoops().front();
    const SCEV *count = evolution.getBackedgeTakenCount(rounds);
    if (!rounds->isInnermost() || isa<SCEVCouldNotCompute>(count) ||
        !evolution.isLoopInvariant(count, &loop))
      return false;
    return any_of(loop.blocks(), [&](BasicBlock *block) {
      auto *guard = conditionalBranch(block->getTerminator());
      return guard && block != plain.latch && loops.getLoopFor(block) == &loop &&
             dominators.dominates(block, plain.latch) && isGuardOf(*guard, *rounds) &&
             canDivide(*guard, /*onThread=*/true);
    });
  }

  bool isGuardOf(const Instruction &branch, const Loop &rounds) const {
    return any_of(successors(&branch), [&](const BasicBlock *way) {
      return way->getSinglePredecessor() == branch.getParent() &&
             dominators.dominates(way, rounds.getHeader());
    });
  }

  // Something is done on either.
  static bool hasTwoWays(const Instruction &branch) {
    return all_of(successors(&branch), [&](const BasicBlock *way) {
      return way->getSinglePredecessor() == branch.getParent();
    });
  }

  // The smaller or larger one of two subscripts, one that starts anew, as of periodic neighbours,
  // or that of a neighbour where there is one.
  bool isClamp(const Instruction &instruction) const {
    auto *select = dyn_cast<SelectInst>(&instruction);
    auto *compare = select ? dyn_cast<ICmpInst>(select->getCondition()) : nullptr;
    if (!compare || !(select->getType()->isIntegerTy(32) || select->getType()->isIntegerTy(64)))
      return false;
    const Value *left = compare->getOperand(0), *right = compare->getOperand(1);
    const Value *chosen = select->getTrueValue(), *other = select->getFalseValue();
    return (left == chosen && right == other) || (left == other && right == chosen) ||
           (goesUp(*chosen) && loop.isLoopInvariant(other)) ||
           (goesUp(*other) && loop.isLoopInvariant(chosen)) || areNeighbours(*chosen, *other);
  }

  // Such as i and i - 1.
  bool areNeighbours(const Value &left, const Value &right) const {
    return goesUp(left) && goesUp(right) &&
           evolution.isLoopInvariant(
               evolution.getMinusSCEV(evolution.getSCEV(const_cast<Value *>(&left)),
                                      evolution.getSCEV(const_cast<Value *>(&right))),
               &loop);
  }

  bool goesUp(const Value &value) const {
    auto *sum = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(const_cast<Value *>(&value)));
    return sum && sum->getLoop() == &loop;
  }

  // One of the conditions that a branch asks for together, where it is not one on a range by
  // itself.
  bool canDivideByPart(Value *condition) {
    Value *left, *right;
    if (match(condition, m_LogicalAnd(m_Value(left), m_Value(right))) ||
        match(condition, m_LogicalOr(m_Value(left), m_Value(right))))
      return canDivideByPart(left) || canDivideByPart(right);
    auto *compare = dyn_cast<ICmpInst>(condition);
    return compare && loop.contains(compare) && canDivide(*compare, /*onThread=*/true);
  }

  // A branch, a select or a comparison.
  bool canDivide(Instruction &instruction, bool onThread) {
    for (bool isTrue : {true, false}) {
      bounds = std::make_unique<ThreadBounds>(loop, evolution);
      if (addAll(conditionOf(instruction), isTrue) && bounds->dependsOnThread() == onThread &&
          !bounds->hasSteps()) {
        branch = &instruction;
        holds = isTrue;
        return true;
      }
    }
    return false;
  }

  static Value *conditionOf(Instruction &instruction) {
    if (auto *select = dyn_cast<SelectInst>(&instruction))
      return select->getCondition();
    auto *end = conditionalBranch(&instruction);
    return end ? end->getCondition() : &instruction;
  }

  static void setCondition(Value *instruction, bool isTrue) {
    Value *condition = ConstantInt::getBool(instruction->getContext(), isTrue);
    if (auto *select = dyn_cast<SelectInst>(instruction)) {
      select->replaceAllUsesWith(isTrue ? select->getTrueValue() : select->getFalseValue());
      select->eraseFromParent();
    } else if (auto *end = conditionalBranch(cast<Instruction>(instruction))) {
      end->setCondition(condition);
    } else {
      replaceAndRecursivelySimplify(cast<Instruction>(instruction), condition);
    }
  }

  bool addAll(Value *condition, bool isTrue) {
    Value *left, *right;
    if (isTrue ? match(condition, m_LogicalAnd(m_Value(left), m_Value(right)))
               : match(condition, m_LogicalOr(m_Value(left), m_Value(right))))
      return addAll(left, isTrue) && addAll(right, isTrue);
    return bounds->add(condition, isTrue);
  }

  void divide() {
    BasicBlock *before = plain.preheader;
    Value *first = plain.first(), *end = plain.test->getOperand(1);
    ThreadBounds::Range range = bounds->range(*before, first, end);
    IRBuilder<> builder(before->getTerminator());
    auto [from, to] = partOf(builder, range, range.runs, first, end);

    BasicBlock *inside = SplitEdge(before, loop.getHeader(), &dominators, &loops);
    plain.preheader = inside;
    BasicBlock *written = match(range.mayWrap, m_Zero())
                              ? nullptr
                              : copyAsWritten(loop, inside, before, loops, dominators);
    BasicBlock *behind = copy(*before, to, end);
    BasicBlock *afterLoop = guardOfRange(to, end, behind, plain.exit);
    plain.latch->getTerminator()->replaceSuccessorWith(plain.exit, afterLoop);
    BasicBlock *start = guardOfRange(from, to, inside, afterLoop);
    BasicBlock *front = copy(*before, first, from);
    cast<BasicBlock>(map.lookup(plain.latch))
        ->getTerminator()
        ->replaceSuccessorWith(afterLoop, start);
    start = guardOfRange(first, from, front, start);
    before->getTerminator()->eraseFromParent();
    builder.SetInsertPoint(before);
    if (written)
      builder.CreateCondBr(range.mayWrap, written, start);
    else
      builder.CreateBr(start);

    plain.setFirst(from);
    plain.setEnd(to);
    const bool isChoice = isa<SelectInst>(branch);
    if (isChoice) // so that subscripts are seen to be of an index
      setCondition(branch, holds);
    bounds->replaceIndices(plain);
    if (!isChoice)
      setCondition(branch, holds);
  }

  // The loop for which the condition does not hold.
  BasicBlock *copy(BasicBlock &before, Value *first, Value *end) {
    map.clear();
    SmallVector<BasicBlock *, 8> made;
    Loop *copied = cloneLoopWithPreheader(plain.preheader, &before, &loop, map, ".other", &loops,
                                          &dominators, made);
    remapInstructionsInBlocks(made, map);
    BasicBlock *preheader = copied->getLoopPreheader();
    cast<PHINode>(map.lookup(plain.x))->setIncomingValueForBlock(preheader, first);
    cast<ICmpInst>(map.lookup(plain.test))->setOperand(1, end);
    setCondition(map.lookup(branch), !holds);
    return preheader;
  }

  Loop &loop;
  LoopInfo &loops;
  DominatorTree &dominators;
  ScalarEvolution &evolution;
  PlainThreadLoop plain;
  std::unique_ptr<ThreadBounds> bounds;
  Instruction *branch = nullptr; // or select, or comparison
  bool holds = true;             // the branch's condition is true where the bounds hold
  ValueToValueMapTy map;         // of the last copy
};

} // namespace

bool splitThreadLoop(Loop &loop, LoopInfo &loops, DominatorTree &dominators,
                     ScalarEvolution &evolution) {
  return ThreadSplit(loop, loops, dominators, evolution).run();
}

} // namespace cufc
