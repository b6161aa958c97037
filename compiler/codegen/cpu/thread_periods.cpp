//   for x:                              m == 2 ?  for base from 0 in steps of 2:
//     p = 2*x - iand(x, m - 1)      =>              a(2*base + 0, 2*base + 2)
//     a(p, p + m)                                   a(2*base + 1, 2*base + 3)
//
// which LLVM loads in whole vectors and takes apart there. Longer periods are parts of the loop
// (thread_segments.cpp), which has remainders for that.
#include "codegen/cpu/thread_periods.h"
#include "codegen/cpu/exchanged_values.h"
#include "codegen/cpu/loop_versions.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

namespace cufc {

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

constexpr size_t mostInstructions = 100;
constexpr uint32_t mostUnrolled = 4;

void unroll(Instruction &latch, Instruction &around) {
  LLVMContext &context = latch.getContext();
  MDNode *parallel = latch.getMetadata(LLVMContext::MD_loop);
  if (parallel) {
    SmallVector<Metadata *> parts{nullptr};
    append_range(parts, drop_begin(parallel->operands()));
    MDNode *own = MDNode::getDistinct(context, parts);
    own->replaceOperandWith(0, own);
    around.setMetadata(LLVMContext::MD_loop, own);
  }
  around.setMetadata(threadLoopMark, latch.getMetadata(threadLoopMark));
  latch.setMetadata(threadLoopMark, nullptr);
  MDNode *full = MDNode::get(context, MDString::get(context, "llvm.loop.unroll.full"));
  latch.setMetadata(LLVMContext::MD_loop,
                    makePostTransformationMetadata(context, parallel, {}, {full}));
}

class ShortPeriods {
public:
  ShortPeriods(Loop &loop, LoopInfo &loops, DominatorTree &dominators, ScalarEvolution &evolution)
      : loop(loop), loops(loops), dominators(dominators), evolution(evolution),
        expander(evolution, "period"), context(loop.getHeader()->getContext()) {}

  bool run() {
    if (!loop.isInnermost() || instructionsOf(loop) > mostInstructions || !findRemainders())
      return false;
    plain = readThreadLoop(loop);
    if (!plain.x || !plain.exit->phis().empty())
      return false;
    storeExchangedPairs(loop);
    addCopies();
    return true;
  }

private:
  // By one number, and of indices that start at the same.
  bool findRemainders() {
    for (BasicBlock *block : loop.blocks())
      for (Instruction &instruction : *block) {
        Value *of = nullptr, *by = nullptr;
        const bool isMasked =
            match(&instruction, m_c_And(m_Value(of), m_CombineOr(m_Add(m_Value(by), m_AllOnes()),
                                                                 m_Sub(m_Value(by), m_One()))));
        if (!isMasked && !match(&instruction, m_CombineOr(m_SRem(m_Value(of), m_Value(by)),
                                                          m_URem(m_Value(of), m_Value(by)))))
          continue;
        if (!isIndex(*of) || !changesAround(*by) || (number && number != by))
          continue;
        number = by;
        remainders.push_back(cast<BinaryOperator>(&instruction));
      }
    return number != nullptr;
  }

  bool isIndex(Value &value) {
    const SCEV *first = firstIndex(value, loop, evolution, expander);
    if (!first || (start && start != first))
      return false;
    start = first;
    return true;
  }

  // From step to step of all threads. The extent of a grid, say, is rarely as small as that.
  bool changesAround(const Value &value) const {
    if (isa<Constant>(value) || !loop.isLoopInvariant(&value))
      return false;
    for (const Loop *around = loop.getParentLoop(); around; around = around->getParentLoop())
      if (!around->isLoopInvariant(&value))
        return true;
    return false;
  }

  void addCopies() {
    BasicBlock *before = plain.preheader;
    plain.preheader = SplitEdge(before, loop.getHeader(), &dominators, &loops);
    BasicBlock *written = copyAsWritten(loop, plain.preheader, before, loops, dominators);
    LoopCopy copies[std::size(shortPeriods)];
    for (LoopCopy &copy : copies)
      copyThreadLoop(loop, plain, before, loops, dominators, copy);
    Instruction *old = before->getTerminator();
    Value *narrowStart = expander.expandCodeFor(start, start->getType(), old);
    IRBuilder<> builder(old);
    Type *wide = builder.getInt64Ty();
    Value *by = builder.CreateFreeze(number);
    Value *from = builder.CreateSExt(builder.CreateFreeze(narrowStart), wide);
    Value *count = builder.CreateSub(builder.CreateSExt(plain.test->getOperand(1), wide),
                                     builder.CreateSExt(plain.first(), wide));
    Value *ends = builder.CreateOr(from, builder.CreateAdd(from, count));
    Value *isPower = builder.CreateICmpEQ(
        builder.CreateAnd(by, builder.CreateSub(by, builder.getInt32(1))), builder.getInt32(0));
    Value *isGood = builder.CreateAnd(builder.CreateICmpSGT(by, builder.getInt32(0)), isPower);
    isGood = builder.CreateAnd(isGood, builder.CreateICmpSGE(ends, builder.getInt64(0)));
    isGood = builder.CreateAnd(isGood, builder.CreateICmpSLE(ends, builder.getInt64(INT32_MAX)));
    BasicBlock *next = BasicBlock::Create(context, "periods", before->getParent(), plain.preheader);
    builder.CreateCondBr(isGood, next, written);
    old->eraseFromParent();
    for (auto [period, copy] : zip(shortPeriods, copies)) {
      builder.SetInsertPoint(next);
      Value *rest = builder.CreateAnd(ends, builder.getInt64(period - 1));
      Value *isThis = builder.CreateAnd(builder.CreateICmpEQ(by, builder.getInt32(period)),
                                        builder.CreateICmpEQ(rest, builder.getInt64(0)));
      next = BasicBlock::Create(context, "periods", before->getParent(), plain.preheader);
      builder.CreateCondBr(isThis, copy.plain.preheader, next);
      use(copy, period);
    }
    builder.SetInsertPoint(next);
    builder.CreateBr(plain.preheader);
    divideLater();
  }

  void use(LoopCopy &copy, uint32_t period) {
    for (BasicBlock *block : loop.blocks())
      for (Instruction &instruction : *cast<BasicBlock>(copy.map.lookup(block)))
        instruction.replaceUsesOfWith(number, ConstantInt::get(number->getType(), period));
    goByPeriods(copy.plain, period, period);
    for (BinaryOperator *remainder : remainders) {
      auto *copied = cast<Instruction>(copy.map.lookup(remainder));
      copied->replaceAllUsesWith(copy.plain.x);
      copied->eraseFromParent();
    }
  }

  // thread_segments.cpp sees remainders.
  void divideLater() {
    for (BinaryOperator *remainder : remainders) {
      if (remainder->getOpcode() != Instruction::And)
        continue;
      IRBuilder<> builder(remainder);
      const bool isFirst = evolution.isSCEVable(remainder->getType()) &&
                           isa<SCEVAddRecExpr>(evolution.getSCEV(remainder->getOperand(0)));
      Value *of = remainder->getOperand(isFirst ? 0 : 1);
      remainder->replaceAllUsesWith(builder.CreateURem(of, number));
      remainder->eraseFromParent();
    }
  }

  Loop &loop;
  LoopInfo &loops;
  DominatorTree &dominators;
  ScalarEvolution &evolution;
  SCEVExpander expander;
  LLVMContext &context;
  PlainThreadLoop plain;
  Value *number = nullptr;
  const SCEV *start = nullptr; // of the index
  SmallVector<BinaryOperator *, 2> remainders;
};

} // namespace

const SCEV *firstIndex(Value &index, const Loop &threads, ScalarEvolution &evolution,
                       SCEVExpander &expander) {
  auto *sum = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(&index));
  if (!sum || sum->getLoop() != &threads || !sum->isAffine() || !index.getType()->isIntegerTy(32) ||
      !sum->getStepRecurrence(evolution)->isOne() ||
      !expander.isSafeToExpandAt(sum->getStart(), threads.getLoopPreheader()->getTerminator()))
    return nullptr;
  return sum->getStart();
}

void copyThreadLoop(Loop &loop, const PlainThreadLoop &plain, BasicBlock *before, LoopInfo &loops,
                    DominatorTree &dominators, LoopCopy &copy) {
  SmallVector<BasicBlock *, 8> blocks;
  Loop *made = cloneLoopWithPreheader(plain.preheader, before, &loop, copy.map, ".period", &loops,
                                      &dominators, blocks);
  remapInstructionsInBlocks(blocks, copy.map);
  copy.plain = {made->getLoopPreheader(), made->getLoopLatch(), plain.exit,
                cast<PHINode>(copy.map.lookup(plain.x)),
                cast<ICmpInst>(copy.map.lookup(plain.test))};
}

void goByPeriods(const PlainThreadLoop &plain, uint32_t rounds, uint32_t step) {
  BasicBlock *header = plain.x->getParent();
  Function *function = header->getParent();
  LLVMContext &context = function->getContext();
  Value *first = plain.first(), *end = plain.test->getOperand(1);
  BasicBlock *next = BasicBlock::Create(context, "next.period", function, plain.exit);
  BasicBlock *part = BasicBlock::Create(context, "period", function, header);
  plain.preheader->getTerminator()->replaceSuccessorWith(header, part);
  IRBuilder<> builder(part);
  PHINode *base = builder.CreatePHI(builder.getInt32Ty(), 2);
  builder.CreateBr(header);
  plain.x->replaceIncomingBlockWith(plain.preheader, part);
  plain.x->setIncomingValueForBlock(part, builder.getInt32(0));
  plain.latch->getTerminator()->replaceSuccessorWith(plain.exit, next);
  plain.setEnd(builder.getInt32(rounds));
  plain.addToX(*base, /*hasNoUnsignedWrap=*/true);
  builder.SetInsertPoint(next);
  Value *nextBase = builder.CreateAdd(base, builder.getInt32(step), "", false, true);
  Instruction *back = builder.CreateCondBr(builder.CreateICmpSLT(nextBase, end), part, plain.exit);
  base->addIncoming(first, plain.preheader);
  base->addIncoming(nextBase, next);
  if (rounds <= mostUnrolled)
    unroll(*plain.latch->getTerminator(), *back);
}

bool copyForShortPeriods(Loop &threads, LoopInfo &loops, DominatorTree &dominators,
                         ScalarEvolution &evolution) {
  return ShortPeriods(threads, loops, dominators, evolution).run();
}

} // namespace cufc
