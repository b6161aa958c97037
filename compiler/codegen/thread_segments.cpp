//   for x:                                   x0 = first
//     i = start + x                          while x0 < end:
//     a(mod(i, n) + 1, i/n + 1) = ...   =>     j = (start + x0)/n, r = start + x0 - j*n
//                                              x1 = min(x0 + n - r, end)
//                                              for x from x0 to x1: a(r + x - x0 + 1, j + 1) = ...
//                                              x0 = x1
//
// The quotient is the same within such a part, and the remainder goes up by one, so that LLVM sees
// neighbours. What is computed of quotients alone moves before the part. That is right for indices
// that are not negative and do not leave their type; for others, and small n, there is the loop as
// it was. Where only remainders are taken, as of neighbours on a periodic grid, an index may be
// above -n: those below zero are a part of their own, in which mod(i, n) is i, modulo(i, n) is i +
// n.
#include "codegen/thread_segments.h"
#include "codegen/loop_versions.h"
#include "codegen/thread_bounds.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/LoopIterator.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

namespace cufc {
namespace {

using namespace llvm;
using namespace llvm::PatternMatch;

constexpr uint64_t leastDivisor = 5; // shorter parts cost more than they save
constexpr size_t mostDivisors = 4;
constexpr int64_t largestIndex = int64_t{1} << 62;

bool isRemainder(const Instruction &division) {
  return division.getOpcode() == Instruction::SRem || division.getOpcode() == Instruction::URem;
}

// As in trees of threads, of which those remain that are multiples (thread_bounds.h).
bool isForMultiples(const Instruction &division) {
  return isRemainder(division) && all_of(division.users(), [](const User *user) {
           return isa<ICmpInst>(user) && cast<ICmpInst>(user)->isEquality();
         });
}

class Segments {
public:
  Segments(Loop &loop, LoopInfo &loops, DominatorTree &dominators, ScalarEvolution &evolution)
      : loop(loop), loops(loops), dominators(dominators), evolution(evolution),
        expander(evolution, "segment"), context(loop.getHeader()->getContext()) {}

  bool run() {
    findDivisors();
    if (divisors.empty() || divisors.size() > mostDivisors)
      return false;
    plain = readThreadLoop(loop);
    if (!plain.x || !plain.exit->phis().empty())
      return false;
    first = plain.first();
    end = plain.test->getOperand(1);
    findLaterDivisors();
    separate();
    addParts();
    for (Divisor &divisor : divisors)
      replace(divisor);
    moveInvariants();
    return true;
  }

private:
  // Of an index, start + x - first in the loop.
  struct Divisor {
    const SCEV *start;
    Value *number;
    SmallVector<BinaryOperator *, 2> divisions;
    Value *startValue = nullptr, *quotient = nullptr, *remainder = nullptr; // of the part's first
    Value *floorRemainder = nullptr;                                        // as MODULO has it

    bool mayBeNegative() const {
      return all_of(divisions, [](const BinaryOperator *division) {
        return division->getOpcode() == Instruction::SRem;
      });
    }
  };

  void findDivisors() {
    for (BasicBlock *block : loop.blocks())
      for (Instruction &instruction : *block)
        if (instruction.isIntDivRem() && !isForMultiples(instruction))
          add(cast<BinaryOperator>(instruction));
  }

  void add(BinaryOperator &division) {
    Value *number = division.getOperand(1);
    auto *index = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(division.getOperand(0)));
    auto *constant = dyn_cast<ConstantInt>(number);
    const unsigned bits = division.getType()->getIntegerBitWidth();
    const bool isGood = !constant || (!constant->isNegative() && constant->uge(leastDivisor) &&
                                      !constant->getValue().isPowerOf2());
    if (!index || index->getLoop() != &loop || !index->isAffine() ||
        !index->getStepRecurrence(evolution)->isOne() || (bits != 32 && bits != 64) || !isGood ||
        !loop.isLoopInvariant(number) ||
        !expander.isSafeToExpandAt(index->getStart(), loop.getLoopPreheader()->getTerminator()))
      return;
    auto *known = find_if(divisors, [&](const Divisor &other) {
      return other.start == index->getStart() && other.number == number;
    });
    if (known == divisors.end()) {
      divisors.push_back({index->getStart(), number, {}});
      known = &divisors.back();
    }
    known->divisions.push_back(&division);
  }

  // Other numbers by which something is divided, perhaps a quotient.
  void findLaterDivisors() {
    for (BasicBlock *block : loop.blocks())
      for (Instruction &instruction : *block)
        if (instruction.isIntDivRem() && loop.isLoopInvariant(instruction.getOperand(1)) &&
            !isa<Constant>(instruction.getOperand(1)))
          laterDivisors.insert(instruction.getOperand(1));
  }

  // To the loop as it was where an index may be negative or too large, or a divisor small.
  void separate() {
    BasicBlock *before = plain.preheader;
    plain.preheader = SplitEdge(before, loop.getHeader(), &dominators, &loops);
    BasicBlock *copy = copyAsWritten(loop, plain.preheader, before, loops, dominators);
    Instruction *old = before->getTerminator();
    for (Divisor &divisor : divisors)
      divisor.startValue = expander.expandCodeFor(divisor.start, divisor.start->getType(), old);
    IRBuilder<> builder(old);
    Type *wide = builder.getInt64Ty();
    Value *count =
        builder.CreateSub(builder.CreateSExt(end, wide), builder.CreateSExt(first, wide));
    Value *isGood = builder.CreateICmpSGT(count, builder.getInt64(0));
    auto require = [&](Value *condition) { isGood = builder.CreateAnd(isGood, condition); };
    for (const Divisor &divisor : divisors) {
      Type *type = divisor.number->getType();
      Value *start = builder.CreateSExt(divisor.startValue, wide);
      int64_t largest = type->isIntegerTy(32) ? INT32_MAX : largestIndex;
      require(divisor.mayBeNegative()
                  ? builder.CreateICmpSGT(
                        builder.CreateAdd(start, builder.CreateSExt(divisor.number, wide)),
                        builder.getInt64(0))
                  : builder.CreateICmpSGE(start, builder.getInt64(0)));
      require(builder.CreateICmpSLE(start, builder.CreateSub(builder.getInt64(largest), count)));
      require(builder.CreateICmpSGE(divisor.number, ConstantInt::get(type, leastDivisor)));
    }
    for (Value *divisor : laterDivisors)
      require(builder.CreateICmpSGT(divisor, ConstantInt::get(divisor->getType(), 0)));
    builder.CreateCondBr(isGood, plain.preheader, copy);
    old->eraseFromParent();
  }

  void addParts() {
    Function *function = loop.getHeader()->getParent();
    part = BasicBlock::Create(context, "part", function, loop.getHeader());
    BasicBlock *next = BasicBlock::Create(context, "next.part", function, plain.exit);
    plain.preheader->getTerminator()->replaceSuccessorWith(loop.getHeader(), part);
    IRBuilder<> builder(part);
    Type *wide = builder.getInt64Ty(), *narrow = builder.getInt32Ty();
    partFirst = builder.CreatePHI(narrow, 2, "part.first");
    partFirst->addIncoming(first, plain.preheader);
    Value *steps =
        builder.CreateSub(builder.CreateSExt(partFirst, wide), builder.CreateSExt(first, wide));
    Value *length =
        builder.CreateSub(builder.CreateSExt(end, wide), builder.CreateSExt(partFirst, wide));
    for (Divisor &divisor : divisors) {
      Type *type = divisor.number->getType();
      Value *index = builder.CreateAdd(divisor.startValue, builder.CreateTrunc(steps, type));
      Value *zero = ConstantInt::get(type, 0), *isNegative = builder.getFalse();
      if (divisor.mayBeNegative())
        isNegative = builder.CreateICmpSLT(index, zero);
      divisor.quotient =
          builder.CreateUDiv(builder.CreateSelect(isNegative, zero, index), divisor.number);
      divisor.remainder =
          builder.CreateSub(index, builder.CreateMul(divisor.quotient, divisor.number));
      divisor.floorRemainder = builder.CreateAdd(
          divisor.remainder, builder.CreateSelect(isNegative, divisor.number, zero));
      Value *left = builder.CreateSub(builder.CreateSelect(isNegative, zero, divisor.number),
                                      divisor.remainder);
      length =
          builder.CreateBinaryIntrinsic(Intrinsic::smin, length, builder.CreateZExt(left, wide));
    }
    Value *partEnd = builder.CreateAdd(partFirst, builder.CreateTrunc(length, narrow), "part.end",
                                       /*HasNUW=*/true, /*HasNSW=*/true);
    builder.CreateBr(loop.getHeader());
    plain.x->replaceIncomingBlockWith(plain.preheader, part);
    plain.x->setIncomingValueForBlock(part, partFirst);
    plain.test->setOperand(1, partEnd);
    plain.latch->getTerminator()->replaceSuccessorWith(plain.exit, next);
    builder.SetInsertPoint(next);
    partFirst->addIncoming(partEnd, next);
    builder.CreateCondBr(builder.CreateICmpSLT(partEnd, end), part, plain.exit);
  }

  void replace(Divisor &divisor) {
    for (BinaryOperator *division : divisor.divisions) {
      Value *result = divisor.quotient;
      if (isRemainder(*division)) {
        IRBuilder<> builder(division);
        Value *distance = builder.CreateSub(plain.x, partFirst, "", /*HasNUW=*/true,
                                            /*HasNSW=*/true);
        Value *steps = builder.CreateZExt(distance, division->getType());
        result = builder.CreateAdd(divisor.remainder, steps, "",
                                   /*HasNUW=*/!divisor.mayBeNegative(), /*HasNSW=*/true);
        Value *floor = builder.CreateAdd(divisor.floorRemainder, steps, "", /*HasNUW=*/true,
                                         /*HasNSW=*/true);
        floors[{result, divisor.number}] = {division->getOperand(0), floor};
      }
      division->replaceAllUsesWith(result);
      division->eraseFromParent();
    }
  }

  // Also divisions, by numbers that are known to be positive.
  void moveInvariants() {
    LoopBlocksRPO blocks(&loop);
    blocks.perform(&loops);
    for (BasicBlock *block : blocks)
      for (Instruction &instruction : make_early_inc_range(*block)) {
        simplifyModulo(instruction);
        if (instruction.use_empty() || isa<PHINode>(instruction) || instruction.isTerminator() ||
            instruction.mayReadOrWriteMemory() || !loop.hasLoopInvariantOperands(&instruction))
          continue;
        const bool isKnown =
            instruction.isIntDivRem() && laterDivisors.contains(instruction.getOperand(1));
        if (isKnown || isSafeToSpeculativelyExecute(&instruction)) {
          instruction.moveBefore(part->getTerminator()->getIterator());
          instruction.dropPoisonGeneratingFlags();
        }
      }
  }

  // MODULO adds the divisor to a remainder of the other sign, which is the same for a part:
  //
  //   remainder /= 0 .and. ieor(index, divisor) < 0 ? remainder + divisor : remainder
  void simplifyModulo(Instruction &instruction) {
    Value *condition = nullptr, *remainder = nullptr, *number = nullptr, *x = nullptr, *y = nullptr;
    if (!match(&instruction,
               m_Select(m_Value(condition), m_Add(m_Value(remainder), m_Value(number)),
                        m_Deferred(remainder))) ||
        !match(condition, m_LogicalAnd(m_Value(x), m_Value(y))))
      return;
    auto found = floors.find({remainder, number});
    if (found == floors.end())
      return;
    auto isNotZero = m_SpecificICmp(ICmpInst::ICMP_NE, m_Specific(remainder), m_Zero());
    auto hasOtherSign = m_SpecificICmp(
        ICmpInst::ICMP_SLT, m_c_Xor(m_Specific(found->second.index), m_Specific(number)), m_Zero());
    if ((match(x, isNotZero) && match(y, hasOtherSign)) ||
        (match(y, isNotZero) && match(x, hasOtherSign)))
      instruction.replaceAllUsesWith(found->second.floor);
  }

  Loop &loop;
  LoopInfo &loops;
  DominatorTree &dominators;
  ScalarEvolution &evolution;
  SCEVExpander expander;
  LLVMContext &context;
  PlainThreadLoop plain;
  Value *first = nullptr, *end = nullptr; // of the loop as it was
  BasicBlock *part = nullptr;
  PHINode *partFirst = nullptr;
  SmallVector<Divisor, 4> divisors;
  SmallPtrSet<Value *, 4> laterDivisors;
  struct Floor {
    Value *index, *floor; // what is divided, and what MODULO gives
  };
  DenseMap<std::pair<Value *, Value *>, Floor> floors; // by remainders and their divisors
};

} // namespace

bool divideAtMultiples(Loop &threads, LoopInfo &loops, DominatorTree &dominators,
                       ScalarEvolution &evolution) {
  return Segments(threads, loops, dominators, evolution).run();
}

} // namespace cufc
