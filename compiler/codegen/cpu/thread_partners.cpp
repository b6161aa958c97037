//   for x:                              for base from 0 in steps of 2*j:
//     other = ieor(x, j)           =>     for x from base to base + j:
//     if (other > x) a(x, other)            a(x, x + j)
//
// where j is a power of two, as in bitonic sorts: both places go up by one from thread to thread
// then. For the smallest distances, at which an inner loop would have less rounds than a vector
// has elements, there are copies in which j is a number:
//
//   for base in steps of 4: a(base, base + 2); a(base + 1, base + 3)
//
// which LLVM loads in whole vectors and takes apart there. Where j is another number, or an index
// may be negative, there is the loop as it was.
#include "codegen/branches.h"
#include "codegen/cpu/exchanged_values.h"
#include "codegen/cpu/loop_versions.h"
#include "codegen/cpu/thread_passes.h"
#include "codegen/cpu/thread_periods.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

namespace cufc {
namespace {

using namespace llvm;
using namespace llvm::PatternMatch;

constexpr size_t mostInstructions = 80;

class Pairs {
public:
  Pairs(Loop &loop, LoopInfo &loops, DominatorTree &dominators, ScalarEvolution &evolution)
      : loop(loop), loops(loops), dominators(dominators), evolution(evolution),
        expander(evolution, "pairs"), context(loop.getHeader()->getContext()) {}

  bool run() {
    if (!loop.isInnermost() || instructionsOf(loop) > mostInstructions || !findGuard())
      return false;
    plain = readThreadLoop(loop);
    if (!plain.x || !plain.exit->phis().empty())
      return false;
    storeExchangedPairs(loop);
    divide();
    return true;
  }

private:
  // ieor(x, j) > x, or iand(x, j) == 0, without which nothing is done.
  bool findGuard() {
    BasicBlock *header = loop.getHeader();
    guard = conditionalBranch(header->getTerminator());
    if (!guard || header == loop.getLoopLatch() ||
        any_of(*header, [](Instruction &one) { return one.mayHaveSideEffects(); }))
      return false;
    ifTrue = guard->getSuccessor(1) == loop.getLoopLatch();
    if ((!ifTrue && guard->getSuccessor(0) != loop.getLoopLatch()) ||
        any_of(*loop.getLoopLatch(), [](Instruction &one) { return one.mayHaveSideEffects(); }) ||
        isa<PHINode>(loop.getLoopLatch()->front()))
      return false;
    auto *compare = dyn_cast<ICmpInst>(guard->getCondition());
    return compare && readGuard(*compare) && findOthers();
  }

  bool readGuard(ICmpInst &compare) {
    const CmpInst::Predicate order =
        ifTrue ? compare.getPredicate() : compare.getInversePredicate();
    Value *left = compare.getOperand(0), *right = compare.getOperand(1), *one = nullptr,
          *two = nullptr;
    if (order == ICmpInst::ICMP_EQ && match(right, m_Zero()) &&
        match(left, m_And(m_Value(one), m_Value(two))))
      return setPair(one, two) || setPair(two, one);
    const bool isMore = order == ICmpInst::ICMP_SGT || order == ICmpInst::ICMP_UGT;
    if (!isMore && order != ICmpInst::ICMP_SLT && order != ICmpInst::ICMP_ULT)
      return false;
    if (!isMore)
      std::swap(left, right);
    return match(left, m_c_Xor(m_Specific(right), m_Value(two))) && setPair(right, two);
  }

  bool setPair(Value *of, Value *by) {
    const SCEV *first = firstIndex(*of, loop, evolution, expander);
    if (!first || !loop.isLoopInvariant(by))
      return false;
    index = of;
    distance = by;
    start = first;
    return true;
  }

  // What is the sum of index and distance behind the guard.
  bool findOthers() {
    for (BasicBlock *block : loop.blocks())
      for (Instruction &instruction : *block)
        if (match(&instruction, m_CombineOr(m_c_Xor(m_Specific(index), m_Specific(distance)),
                                            m_c_Or(m_Specific(index), m_Specific(distance)))))
          others.push_back(cast<BinaryOperator>(&instruction));
    return !others.empty();
  }

  bool mayBe(uint32_t number) const {
    auto *known = dyn_cast<ConstantInt>(distance);
    return !known || known->equalsInt(number);
  }

  void divide() {
    BasicBlock *before = plain.preheader;
    plain.preheader = SplitEdge(before, loop.getHeader(), &dominators, &loops);
    BasicBlock *written = copyAsWritten(loop, plain.preheader, before, loops, dominators);
    LoopCopy copies[std::size(shortPeriods)];
    for (auto [number, copy] : zip(shortPeriods, copies))
      if (mayBe(number))
        copyThreadLoop(loop, plain, before, loops, dominators, copy);
    Instruction *old = before->getTerminator();
    Type *wide = Type::getInt64Ty(context);
    IRBuilder<> builder(old);
    Value *first = plain.first(), *end = plain.test->getOperand(1);
    Value *narrowStart = expander.expandCodeFor(start, start->getType(), old);
    builder.SetInsertPoint(old);
    Value *by = builder.CreateFreeze(distance);
    Value *from = builder.CreateSExt(builder.CreateFreeze(narrowStart), wide);
    Value *count =
        builder.CreateSub(builder.CreateSExt(end, wide), builder.CreateSExt(first, wide));
    Value *to = builder.CreateAdd(from, count);
    Value *isGood = builder.CreateAnd(
        builder.CreateICmpSGT(by, builder.getInt32(0)),
        builder.CreateICmpEQ(builder.CreateAnd(by, builder.CreateSub(by, builder.getInt32(1))),
                             builder.getInt32(0)));
    isGood = builder.CreateAnd(isGood, builder.CreateICmpSGE(from, builder.getInt64(0)));
    isGood = builder.CreateAnd(isGood, builder.CreateICmpSLE(to, builder.getInt64(INT32_MAX)));
    BasicBlock *next = BasicBlock::Create(context, "pairs", before->getParent(), plain.preheader);
    builder.CreateCondBr(isGood, next, written);
    old->eraseFromParent();
    for (auto [number, copy] : zip(shortPeriods, copies)) {
      if (!mayBe(number))
        continue;
      builder.SetInsertPoint(next);
      Value *ends = builder.CreateOr(from, to);
      Value *rest = builder.CreateAnd(ends, builder.getInt64(2 * number - 1));
      Value *isThis = builder.CreateAnd(builder.CreateICmpEQ(by, builder.getInt32(number)),
                                        builder.CreateICmpEQ(rest, builder.getInt64(0)));
      next = BasicBlock::Create(context, "pairs", before->getParent(), plain.preheader);
      builder.CreateCondBr(isThis, copy.plain.preheader, next);
      use(copy, number);
    }
    builder.SetInsertPoint(next);
    builder.CreateBr(plain.preheader);
    goByDistance(*by, *from, *to, *first);
  }

  // In the loop, or a copy of it.
  void usePairs(ConditionalBranch &itsGuard, ArrayRef<BinaryOperator *> itsOthers, Value &by) {
    itsGuard.setCondition(ConstantInt::getBool(context, ifTrue));
    for (BinaryOperator *other : itsOthers) {
      IRBuilder<> builder(other);
      Value *lower = other->getOperand(other->getOperand(0) == distance ? 1 : 0);
      other->replaceAllUsesWith(builder.CreateAdd(lower, &by, "", /*HasNUW=*/true,
                                                  /*HasNSW=*/true));
      other->eraseFromParent();
    }
  }

  void use(LoopCopy &copy, uint32_t number) {
    goByPeriods(copy.plain, number, 2 * number);
    SmallVector<BinaryOperator *, 2> copied;
    for (BinaryOperator *other : others)
      copied.push_back(cast<BinaryOperator>(copy.map.lookup(other)));
    usePairs(*cast<ConditionalBranch>(copy.map.lookup(guard)), copied,
             *ConstantInt::get(Type::getInt32Ty(context), number));
  }

  void goByDistance(Value &by, Value &from, Value &to, Value &first) {
    BasicBlock *header = loop.getHeader();
    BasicBlock *next =
        BasicBlock::Create(context, "next.pairs", plain.exit->getParent(), plain.exit);
    BasicBlock *part = BasicBlock::Create(context, "part", plain.exit->getParent(), header);
    IRBuilder<> builder(plain.preheader->getTerminator());
    Value *length = builder.CreateZExt(&by, builder.getInt64Ty());
    Value *twice = builder.CreateShl(length, uint64_t(1));
    Value *lowest = builder.CreateAnd(&from, builder.CreateNeg(twice));
    plain.preheader->getTerminator()->replaceSuccessorWith(header, part);
    builder.SetInsertPoint(part);
    PHINode *base = builder.CreatePHI(builder.getInt64Ty(), 2);
    Value *low = builder.CreateBinaryIntrinsic(Intrinsic::smax, base, &from);
    Value *high =
        builder.CreateBinaryIntrinsic(Intrinsic::smin, builder.CreateAdd(base, length), &to);
    auto asX = [&](Value *value) {
      Value *steps = builder.CreateTrunc(builder.CreateSub(value, &from), builder.getInt32Ty());
      return builder.CreateAdd(&first, steps, "", false, true);
    };
    Value *lowX = asX(low), *highX = asX(high);
    builder.CreateCondBr(builder.CreateICmpSLT(low, high), header, next);
    plain.x->replaceIncomingBlockWith(plain.preheader, part);
    plain.x->setIncomingValueForBlock(part, lowX);
    plain.test->setOperand(1, highX);
    plain.latch->getTerminator()->replaceSuccessorWith(plain.exit, next);
    usePairs(*guard, others, by);
    builder.SetInsertPoint(next);
    Value *nextBase = builder.CreateAdd(base, twice, "", true, true);
    builder.CreateCondBr(builder.CreateICmpSLT(nextBase, &to), part, plain.exit);
    base->addIncoming(lowest, plain.preheader);
    base->addIncoming(nextBase, next);
  }

  Loop &loop;
  LoopInfo &loops;
  DominatorTree &dominators;
  ScalarEvolution &evolution;
  SCEVExpander expander;
  LLVMContext &context;
  PlainThreadLoop plain;
  ConditionalBranch *guard = nullptr;
  bool ifTrue = true; // threads go on
  Value *index = nullptr, *distance = nullptr;
  const SCEV *start = nullptr; // of the index
  SmallVector<BinaryOperator *, 2> others;
};

} // namespace

bool goByPairs(Loop &threads, LoopInfo &loops, DominatorTree &dominators,
               ScalarEvolution &evolution) {
  return Pairs(threads, loops, dominators, evolution).run();
}

} // namespace cufc
