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
//
// Where the loop goes over whole periods from zero on, as threads of a known block over the lines
// of a tile, all parts are of the same length, and each has its own x from zero on.
//
// Short lines within others, as those of a tile with its halo on a periodic grid, mostly lie
// between two multiples as a whole. Looking for parts would take longer than what the threads do:
//
//   whole = ...                            // before the lines
//   for y: whole ? (for x ...) : (while x0 < end ...)
#include "codegen/cpu/full_lines.h"
#include "codegen/cpu/loop_versions.h"
#include "codegen/cpu/thread_bounds.h"
#include "codegen/cpu/thread_passes.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/LoopIterator.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

namespace cufc {
namespace {

using namespace llvm;
using namespace llvm::PatternMatch;

constexpr uint64_t leastDivisor = 5; // shorter parts cost more than they save
constexpr size_t mostDivisors = 4;
constexpr size_t mostCopied = 100; // instructions
constexpr int64_t largestIndex = int64_t{1} << 62;

bool isShort(int64_t first, int64_t end) { return first < end && end - first < longLine; }

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
    findPeriod();
    separate();
    addParts();
    for (Divisor &divisor : divisors)
      replace(divisor);
    moveInvariants();
    if (isShortLine())
      addWholeLine();
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
    Value *multiple = nullptr; // where the remainder is one again

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

  // The smallest divisor, if the others are its multiples and the loop is of whole periods.
  void findPeriod() {
    auto *count = dyn_cast<SCEVConstant>(evolution.getSCEV(end));
    if (!count || !count->getAPInt().isStrictlyPositive() || !evolution.getSCEV(first)->isZero())
      return;
    const uint64_t whole = count->getAPInt().getZExtValue();
    uint64_t least = whole;
    for (const Divisor &divisor : divisors) {
      auto *number = dyn_cast<ConstantInt>(divisor.number);
      if (!number || !divisor.start->isZero())
        return;
      least = std::min(least, number->getZExtValue());
    }
    if (whole % least == 0 && all_of(divisors, [&](const Divisor &divisor) {
          return cast<ConstantInt>(divisor.number)->getZExtValue() % least == 0;
        }))
      period = least;
  }

  // To the loop as it was where an index may be negative or too large, or a divisor small.
  void separate() {
    BasicBlock *before = plain.preheader;
    plain.preheader = SplitEdge(before, loop.getHeader(), &dominators, &loops);
    Instruction *old = before->getTerminator();
    for (Divisor &divisor : divisors)
      divisor.startValue = expander.expandCodeFor(divisor.start, divisor.start->getType(), old);
    IRBuilder<> builder(old);
    Value *isGood = period ? builder.getTrue() : indicesAreGood(builder);
    for (Value *divisor : laterDivisors)
      isGood = builder.CreateAnd(
          isGood, builder.CreateICmpSGT(divisor, ConstantInt::get(divisor->getType(), 0)));
    if (match(isGood, m_One()))
      return;
    BasicBlock *copy = copyAsWritten(loop, plain.preheader, before, loops, dominators);
    builder.CreateCondBr(isGood, plain.preheader, copy);
    old->eraseFromParent();
  }

  Value *indicesAreGood(IRBuilder<> &builder) const {
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
    return isGood;
  }

  bool isPeriod(const Value &number) const {
    return period && cast<ConstantInt>(number).equalsInt(*period);
  }

  void addParts() {
    Function *function = loop.getHeader()->getParent();
    part = BasicBlock::Create(context, "part", function, loop.getHeader());
    next = BasicBlock::Create(context, "next.part", function, plain.exit);
    plain.preheader->getTerminator()->replaceSuccessorWith(loop.getHeader(), part);
    IRBuilder<> builder(part);
    Type *wide = builder.getInt64Ty(), *narrow = builder.getInt32Ty();
    partFirst = builder.CreatePHI(narrow, 2, "part.first");
    partFirst->addIncoming(first, plain.preheader);
    Value *length =
        builder.CreateSub(builder.CreateSExt(end, wide), builder.CreateSExt(partFirst, wide));
    for (Divisor &divisor : divisors) {
      Value *left = startPart(divisor, builder);
      length =
          builder.CreateBinaryIntrinsic(Intrinsic::smin, length, builder.CreateZExt(left, wide));
    }
    length = period ? builder.getInt32(static_cast<uint32_t>(*period))
                    : builder.CreateTrunc(length, narrow);
    Value *partEnd = builder.CreateAdd(partFirst, length, "part.end", /*HasNUW=*/true,
                                       /*HasNSW=*/true);
    builder.CreateBr(loop.getHeader());
    plain.x->replaceIncomingBlockWith(plain.preheader, part);
    plain.x->setIncomingValueForBlock(part, partFirst);
    plain.test->setOperand(1, partEnd);
    if (period)
      countFromZero(*length, static_cast<uint32_t>(*period));
    plain.latch->getTerminator()->replaceSuccessorWith(plain.exit, next);
    builder.SetInsertPoint(next);
    partFirst->addIncoming(partEnd, next);
    for (Divisor &divisor : divisors)
      endPart(divisor, *length, builder);
    builder.CreateCondBr(builder.CreateICmpSLT(partEnd, end), part, plain.exit);
  }

  // What the first part begins with is divided where all is known that this needs, by what is no
  // zero there. Returns how far it is to the next multiple.
  Value *startPart(Divisor &divisor, IRBuilder<> &builder) {
    Type *type = divisor.number->getType();
    Value *zero = ConstantInt::get(type, 0), *isNegative = builder.getFalse();
    IRBuilder<> early(placeFor(divisor));
    Value *start = expander.expandCodeFor(divisor.start, type, early.GetInsertPoint());
    early.SetInsertPoint(placeFor(divisor));
    Value *number =
        early.CreateBinaryIntrinsic(Intrinsic::umax, divisor.number, ConstantInt::get(type, 1));
    if (divisor.mayBeNegative() && !period)
      isNegative = early.CreateICmpSLT(start, zero);
    Value *quotient = early.CreateUDiv(early.CreateSelect(isNegative, zero, start), number);
    Value *remainder = early.CreateSub(start, early.CreateMul(quotient, number));
    auto carry = [&](Value *first) {
      PHINode *phi = PHINode::Create(type, 2, "", part->begin());
      phi->addIncoming(first, plain.preheader);
      return phi;
    };
    divisor.quotient = carry(quotient);
    divisor.remainder = isPeriod(*divisor.number) ? zero : carry(remainder);
    if (divisor.mayBeNegative() && !period)
      isNegative = builder.CreateICmpSLT(divisor.remainder, zero);
    divisor.multiple = builder.CreateSelect(isNegative, zero, divisor.number);
    divisor.floorRemainder = builder.CreateAdd(
        divisor.remainder, builder.CreateSelect(isNegative, divisor.number, zero));
    return builder.CreateSub(divisor.multiple, divisor.remainder);
  }

  // The end of the outermost block before the loop in which an index starts with the same.
  Instruction *placeFor(const Divisor &divisor) const {
    Instruction *place = plain.preheader->getTerminator();
    for (const Loop *around = loop.getParentLoop(); around; around = around->getParentLoop()) {
      BasicBlock *before = around->getLoopPreheader();
      if (!before || !evolution.isLoopInvariant(divisor.start, around) ||
          !around->isLoopInvariant(divisor.number) ||
          !expander.isSafeToExpandAt(divisor.start, before->getTerminator()))
        break;
      place = before->getTerminator();
    }
    return place;
  }

  // From below zero, numbers go on at zero.
  void endPart(Divisor &divisor, Value &length, IRBuilder<> &builder) {
    auto *quotient = cast<PHINode>(divisor.quotient);
    auto *remainder = dyn_cast<PHINode>(divisor.remainder);
    Type *type = divisor.number->getType();
    BasicBlock *next = builder.GetInsertBlock();
    Value *zero = ConstantInt::get(type, 0), *isNext = builder.getTrue();
    if (remainder) {
      Value *sum = builder.CreateAdd(remainder, builder.CreateZExt(&length, type));
      isNext = builder.CreateICmpEQ(sum, divisor.multiple);
      remainder->addIncoming(builder.CreateSelect(isNext, zero, sum), next);
      isNext = builder.CreateAnd(isNext, builder.CreateICmpNE(divisor.multiple, zero));
    }
    quotient->addIncoming(builder.CreateAdd(quotient, builder.CreateZExt(isNext, type)), next);
  }

  // What the loop computes of x is computed of the sum with the part's first one. The length of a
  // line is the value of the end.
  void countFromZero(Value &end, uint32_t lineLength) {
    plain.x->setIncomingValueForBlock(part, ConstantInt::get(plain.x->getType(), 0));
    plain.setEnd(&end);
    plain.addToX(*partFirst, /*hasNoUnsignedWrap=*/true);
    markLineLength(loop, lineLength);
  }

  void replace(Divisor &divisor) {
    for (BinaryOperator *division : divisor.divisions) {
      Value *result = divisor.quotient;
      if (isRemainder(*division)) {
        IRBuilder<> builder(division);
        Value *distance = period ? plain.x
                                 : builder.CreateSub(plain.x, partFirst, "", /*HasNUW=*/true,
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
          if (isKnown || laterDivisors.contains(&instruction))
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

  bool isShortLine() const {
    auto *from = dyn_cast<ConstantInt>(first), *to = dyn_cast<ConstantInt>(end);
    return loop.getParentLoop() && from && to && !period &&
           isShort(from->getSExtValue(), to->getSExtValue()) && instructionsOf(loop) <= mostCopied;
  }

  // A copy for lines that are one part.
  void addWholeLine() {
    ValueToValueMapTy map;
    SmallVector<BasicBlock *, 8> made, old{part};
    old.append(loop.block_begin(), loop.block_end());
    for (BasicBlock *block : old) {
      made.push_back(CloneBasicBlock(block, map, ".whole", part->getParent()));
      map[block] = made.back();
    }
    remapInstructionsInBlocks(made, map);
    BasicBlock *whole = made.front(), *latch = cast<BasicBlock>(map.lookup(plain.latch));
    cast<ICmpInst>(map.lookup(plain.test))->setOperand(1, end);
    latch->getTerminator()->replaceSuccessorWith(next, plain.exit);
    for (PHINode &carried : make_early_inc_range(whole->phis())) {
      carried.replaceAllUsesWith(carried.getIncomingValueForBlock(plain.preheader));
      carried.eraseFromParent();
    }
    Instruction *before = plain.preheader->getTerminator();
    IRBuilder<> builder(before);
    builder.CreateCondBr(isOnePart(builder), whole, part);
    before->eraseFromParent();
    markPartOfLine(loop);
    addStringMetadataToLoop(&loop, "llvm.loop.interleave.count", 1);
  }

  Value *isOnePart(IRBuilder<> &builder) const {
    Value *isOne = builder.getTrue();
    for (const Divisor &divisor : divisors) {
      Type *type = divisor.number->getType();
      Value *zero = ConstantInt::get(type, 0);
      Value *remainder =
          cast<PHINode>(divisor.remainder)->getIncomingValueForBlock(plain.preheader);
      Value *multiple =
          builder.CreateSelect(builder.CreateICmpSLT(remainder, zero), zero, divisor.number);
      Value *count = ConstantInt::get(type, cast<ConstantInt>(end)->getSExtValue() -
                                                cast<ConstantInt>(first)->getSExtValue());
      isOne = builder.CreateAnd(
          isOne, builder.CreateICmpSGE(builder.CreateSub(multiple, remainder), count));
    }
    return isOne;
  }

  Loop &loop;
  LoopInfo &loops;
  DominatorTree &dominators;
  ScalarEvolution &evolution;
  SCEVExpander expander;
  LLVMContext &context;
  PlainThreadLoop plain;
  Value *first = nullptr, *end = nullptr;      // of the loop as it was
  std::optional<uint64_t> period;              // the length of all parts
  BasicBlock *part = nullptr, *next = nullptr; // before and behind each
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
