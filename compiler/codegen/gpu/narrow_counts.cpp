// flang counts the iterations of `do l = first(c), first(c + 1) - 1` in 64 bits, since there may be
// 2**32 of them. A GPU has registers of 32 bits: each iteration took two instructions more to count
// and one to compare, as much as the rest of a short loop. What is left behind an iteration,
// count - 1, always fits 32 bits, and counting goes on while that is not zero:
//
//   count = b - a + 1;  do ...; while (count-- > 1)   ->   left = b - a;  do ...; while (left-- !=
//   0)
//
// Loops that LLVM has unrolled count from 0 to the multiple of their step below the count:
//
//   done = 0; do ...; while ((done += 4) != (count & -4))
//
// Whether there is an iteration is asked in 32 bits, too: b - a < 0 is b < a.
#include "codegen/gpu/narrow_counts.h"
#include "codegen/branches.h"
#include "codegen/gpu/shared_addresses.h"
#include "codegen/loop_analyses.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/KnownBits.h"
#include "llvm/Transforms/Utils/Local.h"

namespace cufc {
namespace {

using namespace llvm;
using namespace llvm::PatternMatch;

constexpr int64_t mostIterations = int64_t{1} << 32;

// A counter that goes down to the loop's end, by the step, while it is more than a limit.
struct Count {
  PHINode *counter;
  BinaryOperator *next;
  ICmpInst *goesOn;
  bool isTrue; // where the loop goes on
  uint64_t step, limit;
};

// The number that a counter is more than while the comparison is true; 0 for others.
uint64_t limitOf(const ICmpInst &comparison, const Value &counter, bool isTrue) {
  auto *bound = dyn_cast<ConstantInt>(comparison.getOperand(1));
  if (comparison.getOperand(0) != &counter || !bound || bound->isNegative())
    return 0;
  // Counters are at least 1 and at most 2**32 where they are compared.
  switch (isTrue ? comparison.getPredicate() : comparison.getInversePredicate()) {
  case ICmpInst::ICMP_SGT:
  case ICmpInst::ICMP_UGT:
    return bound->getZExtValue();
  case ICmpInst::ICMP_SGE:
  case ICmpInst::ICMP_UGE:
    return bound->getZExtValue() - 1;
  default:
    return 0;
  }
}

class Counters {
public:
  explicit Counters(Function &function) : analyses(function) {}

  void run() {
    SmallVector<std::pair<const Loop *, Count>> counts;
    SmallVector<std::pair<const Loop *, Count>> unrolled;
    for (const Loop *loop : analyses.loops.getLoopsInPreorder())
      if (std::optional<Count> count = countOf(*loop))
        counts.emplace_back(loop, *count);
      else if (std::optional<Count> rounds = unrolledCountOf(*loop))
        unrolled.emplace_back(loop, *rounds);
    for (auto &[loop, count] : counts)
      narrow(*loop, count);
    for (auto &[loop, count] : unrolled)
      narrowUnrolled(*loop, count);
  }

private:
  std::optional<Count> countOf(const Loop &loop) {
    BasicBlock *latch = loop.getLoopLatch(), *before = loop.getLoopPredecessor();
    auto *branch = latch ? conditionalBranch(latch->getTerminator()) : nullptr;
    auto *goesOn = branch ? dyn_cast<ICmpInst>(branch->getCondition()) : nullptr;
    if (!goesOn || !before || !goesOn->hasOneUse())
      return std::nullopt;
    auto *counter = dyn_cast<PHINode>(goesOn->getOperand(0));
    if (!counter || counter->getParent() != loop.getHeader() ||
        !counter->getType()->isIntegerTy(64) || !counter->hasNUses(2))
      return std::nullopt;
    auto *next = dyn_cast<BinaryOperator>(counter->getIncomingValueForBlock(latch));
    const APInt *step;
    if (!next || !next->hasOneUse() || !match(next, m_Add(m_Specific(counter), m_APInt(step))) ||
        !step->isNegative() || !step->isSignedIntN(16))
      return std::nullopt;
    const bool isTrue = branch->getSuccessor(0) == loop.getHeader();
    Count count{
        counter, next, goesOn, isTrue, (-*step).getZExtValue(), limitOf(*goesOn, *counter, isTrue)};
    Value &first = *counter->getIncomingValueForBlock(before);
    if (count.limit < count.step || count.limit > INT16_MAX || hasKnownCounts(loop) ||
        !isWithin(loop, first))
      return std::nullopt;
    return count;
  }

  // That of an unrolled loop, whose end is a multiple of the step in 32 bits. An end of 0, after
  // 2**62 iterations or so, need not be excluded.
  std::optional<Count> unrolledCountOf(const Loop &loop) {
    BasicBlock *latch = loop.getLoopLatch(), *before = loop.getLoopPredecessor();
    auto *branch = latch ? conditionalBranch(latch->getTerminator()) : nullptr;
    auto *goesOn = branch ? dyn_cast<ICmpInst>(branch->getCondition()) : nullptr;
    if (!goesOn || !before || !goesOn->hasOneUse() || !goesOn->isEquality())
      return std::nullopt;
    auto *next = dyn_cast<BinaryOperator>(goesOn->getOperand(0));
    PHINode *counter = nullptr;
    Value *start, *step;
    if (!next || !next->getType()->isIntegerTy(64) || !next->hasNUses(2) ||
        !matchSimpleRecurrence(next, counter, start, step) ||
        next->getOpcode() != Instruction::Add || counter->getParent() != loop.getHeader() ||
        !counter->hasOneUse() || !match(start, m_Zero()))
      return std::nullopt;
    auto *constant = dyn_cast<ConstantInt>(step);
    Value *end = goesOn->getOperand(1);
    const bool isTrue = branch->getSuccessor(0) == loop.getHeader();
    if (!constant || !constant->getValue().isPowerOf2() || constant->getValue().ugt(INT16_MAX) ||
        !loop.isLoopInvariant(end) || isTrue != (goesOn->getPredicate() == ICmpInst::ICMP_NE) ||
        hasKnownCounts(loop))
      return std::nullopt;
    const KnownBits bits = computeKnownBits(end, next->getDataLayout());
    if (bits.countMinLeadingZeros() < 32 ||
        bits.countMinTrailingZeros() < constant->getValue().logBase2())
      return std::nullopt;
    return Count{counter, next, goesOn, isTrue, constant->getZExtValue(), 0};
  }

  // Whether it or a loop around it has a constant count: ptxas unrolls such loops if they are as
  // LLVM writes them.
  bool hasKnownCounts(const Loop &loop) {
    for (const Loop *outer = &loop; outer; outer = outer->getParentLoop())
      if (analyses.evolution.getSmallConstantTripCount(outer))
        return true;
    return false;
  }

  // Whether the counter is from 1 to 2**32 in the first iteration.
  bool isWithin(const Loop &loop, Value &first) {
    const SCEV *number = analyses.evolution.getSCEV(&first);
    return analyses.evolution.getSignedRangeMax(number).sle(mostIterations) &&
           (analyses.evolution.isKnownPositive(number) || isAskedFor(loop, first) ||
            analyses.evolution.isLoopEntryGuardedByCond(
                &loop, ICmpInst::ICMP_SGT, number, analyses.evolution.getZero(number->getType())));
  }

  // Whether a branch leads to the loop, or to one around it, only if the number is positive.
  bool isAskedFor(const Loop &loop, const Value &first) const {
    constexpr unsigned mostBranches = 16;
    auto *node = analyses.dominators.getNode(loop.getHeader());
    for (unsigned i = 0; i < mostBranches && (node = node->getIDom()); ++i) {
      auto *branch = conditionalBranch(node->getBlock()->getTerminator());
      for (unsigned way : {0, 1})
        if (branch &&
            analyses.dominators.dominates({node->getBlock(), branch->getSuccessor(way)},
                                          loop.getHeader()) &&
            saysPositive(*branch->getCondition(), way == 0, first))
          return true;
    }
    return false;
  }

  static bool saysPositive(Value &condition, bool isTrue, const Value &first) {
    CmpPredicate predicate;
    Value *asked;
    const APInt *bound;
    if (!match(&condition, m_ICmp(predicate, m_Value(asked), m_APInt(bound))))
      return false;
    const bool isLess = match(&first, m_NSWAdd(m_Specific(asked), m_One()));
    if (asked != &first && !isLess)
      return false;
    CmpInst::Predicate holds = predicate;
    if (!isTrue)
      holds = CmpInst::getInversePredicate(holds);
    const ConstantRange range = ConstantRange::makeExactICmpRegion(holds, *bound);
    return !range.isEmptySet() && range.getSignedMin().sge(isLess ? 0 : 1);
  }

  static void narrow(const Loop &loop, const Count &count) {
    BasicBlock *before = loop.getLoopPredecessor();
    IRBuilder<> builder(before->getTerminator());
    Type *word = builder.getInt32Ty();
    Value *first = count.counter->getIncomingValueForBlock(before), *rest = nullptr;
    if (!match(first, m_Add(m_Value(rest), m_One())))
      rest = builder.CreateAdd(first, builder.getInt64(-1));
    rest = builder.CreateTrunc(rest, word);
    builder.SetInsertPoint(count.counter);
    PHINode *left = builder.CreatePHI(word, 2);
    builder.SetInsertPoint(count.next);
    Value *next = builder.CreateAdd(left, builder.getInt32(-static_cast<uint32_t>(count.step)));
    for (BasicBlock *block : count.counter->blocks())
      left->addIncoming(block == before ? rest : next, block);
    builder.SetInsertPoint(count.goesOn);
    Value *bound = builder.getInt32(static_cast<uint32_t>(count.limit));
    count.goesOn->replaceAllUsesWith(count.isTrue ? builder.CreateICmpUGE(left, bound)
                                                  : builder.CreateICmpULT(left, bound));
    count.goesOn->eraseFromParent();
    RecursivelyDeleteDeadPHINode(count.counter);
  }

  static void narrowUnrolled(const Loop &loop, const Count &count) {
    BasicBlock *before = loop.getLoopPredecessor();
    IRBuilder<> builder(before->getTerminator());
    Type *word = builder.getInt32Ty();
    Value *end = builder.CreateTrunc(count.goesOn->getOperand(1), word);
    builder.SetInsertPoint(count.counter);
    PHINode *done = builder.CreatePHI(word, 2);
    builder.SetInsertPoint(count.next);
    Value *next = builder.CreateAdd(done, builder.getInt32(static_cast<uint32_t>(count.step)));
    for (BasicBlock *block : count.counter->blocks())
      done->addIncoming(block == before ? builder.getInt32(0) : next, block);
    builder.SetInsertPoint(count.goesOn);
    count.goesOn->replaceAllUsesWith(builder.CreateICmp(count.goesOn->getPredicate(), next, end));
    count.goesOn->eraseFromParent();
    RecursivelyDeleteDeadPHINode(count.counter);
  }

  LoopAnalyses analyses;
};

// Two numbers of 32 bits whose difference is compared with zero.
void compareWords(ICmpInst &comparison) {
  CmpPredicate predicate;
  Value *difference, *wideA, *wideB;
  const APInt *bound, *added;
  if (!match(&comparison, m_ICmp(predicate, m_Value(difference), m_APInt(bound))) ||
      !difference->getType()->isIntegerTy(64) || !bound->isSignedIntN(8))
    return;
  int64_t limit = bound->getSExtValue();
  if (Value *rest;
      match(difference, m_Add(m_Value(rest), m_APInt(added))) && added->isSignedIntN(8)) {
    limit -= added->getSExtValue();
    difference = rest;
  }
  if (!match(difference, m_Sub(m_Value(wideA), m_Value(wideB))))
    return;
  Value *a = narrowNumber(wideA), *b = narrowNumber(wideB);
  if (!a || !b || (isa<Constant>(a) && isa<Constant>(b)))
    return;
  CmpInst::Predicate asked = predicate;
  if (limit == -1 && (asked == ICmpInst::ICMP_SGT || asked == ICmpInst::ICMP_SLE))
    asked = asked == ICmpInst::ICMP_SGT ? ICmpInst::ICMP_SGE : ICmpInst::ICMP_SLT;
  else if (limit == 1 && (asked == ICmpInst::ICMP_SLT || asked == ICmpInst::ICMP_SGE))
    asked = asked == ICmpInst::ICMP_SLT ? ICmpInst::ICMP_SLE : ICmpInst::ICMP_SGT;
  else if (limit != 0 || !ICmpInst::isSigned(asked))
    return;
  comparison.replaceAllUsesWith(IRBuilder<>(&comparison).CreateICmp(asked, a, b));
  RecursivelyDeleteTriviallyDeadInstructions(&comparison);
}

} // namespace

void countInWords(Module &module) {
  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    Counters(function).run();
    SmallVector<ICmpInst *> comparisons;
    for (Instruction &instruction : instructions(function))
      if (auto *comparison = dyn_cast<ICmpInst>(&instruction))
        comparisons.push_back(comparison);
    for (ICmpInst *comparison : comparisons)
      compareWords(*comparison);
  }
}

} // namespace cufc
