// The number of rounds of a DO statement is a quotient with a sign, (last - first + step)/step,
// which scalar evolution does not look into. Its range follows from that of a thread's index.
#include "codegen/gpu/round_counts.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/Instructions.h"

namespace cufc {
namespace {

using namespace llvm;

constexpr unsigned mostDepth = 6;

ConstantRange rangeOf(const Value &value, unsigned depth);

// The range of a sum, which does not overflow, without one of its numbers, in bits that hold it;
// none: it is not in it.
std::optional<ConstantRange> rangeWithout(const Value &sum, const Value &number, unsigned bits,
                                          unsigned depth) {
  if (&sum == &number)
    return ConstantRange(APInt::getZero(bits));
  auto *operation = dyn_cast<BinaryOperator>(&sum);
  if (depth >= mostDepth || !operation ||
      (operation->getOpcode() != Instruction::Add && operation->getOpcode() != Instruction::Sub) ||
      !operation->hasNoSignedWrap())
    return std::nullopt;
  const Value &left = *operation->getOperand(0), &right = *operation->getOperand(1);
  const bool isAddition = operation->getOpcode() == Instruction::Add;
  if (std::optional<ConstantRange> rest = rangeWithout(left, number, bits, depth + 1)) {
    const ConstantRange other = rangeOf(right, depth + 1).signExtend(bits);
    return isAddition ? rest->add(other) : rest->sub(other);
  }
  if (std::optional<ConstantRange> rest =
          isAddition ? rangeWithout(right, number, bits, depth + 1) : std::nullopt)
    return rest->add(rangeOf(left, depth + 1).signExtend(bits));
  return std::nullopt;
}

// (n + step)/step is at most max(n, 0)/step + 1 where the step is positive, as few as n says.
ConstantRange atMostRest(const ConstantRange &quotient, const BinaryOperator &division,
                         unsigned depth) {
  const Value &step = *division.getOperand(1);
  if (division.getOpcode() != Instruction::SDiv || isa<Constant>(step))
    return quotient;
  const unsigned bits = quotient.getBitWidth();
  std::optional<ConstantRange> rest =
      rangeWithout(*division.getOperand(0), step, bits + mostDepth + 2, depth + 1);
  if (!rest || rest->isEmptySet() || rangeOf(step, depth + 1).getSignedMin().isNegative())
    return quotient;
  const APInt most = APIntOps::smax(rest->getSignedMax(), APInt::getZero(rest->getBitWidth()));
  if (!(most + 2).isSignedIntN(bits))
    return quotient;
  return quotient.intersectWith(
      ConstantRange::getNonEmpty(APInt::getSignedMinValue(bits), (most + 2).trunc(bits)),
      ConstantRange::Signed);
}

ConstantRange rangeOf(const Value &value, unsigned depth) {
  auto *operation = dyn_cast<BinaryOperator>(&value);
  auto *cast = dyn_cast<CastInst>(&value);
  const unsigned opcode = operation ? operation->getOpcode() : 0;
  if (depth < mostDepth &&
      (opcode == Instruction::SDiv || opcode == Instruction::Sub || opcode == Instruction::Add))
    return atMostRest(
        rangeOf(*operation->getOperand(0), depth + 1)
            .binaryOp(operation->getOpcode(), rangeOf(*operation->getOperand(1), depth + 1)),
        *operation, depth);
  if (depth < mostDepth && cast && cast->getSrcTy()->isIntegerTy() &&
      cast->getDestTy()->isIntegerTy())
    return rangeOf(*cast->getOperand(0), depth + 1)
        .castOp(cast->getOpcode(), cast->getDestTy()->getIntegerBitWidth());
  return computeConstantRange(&value, /*ForSigned=*/true);
}

// The value where a number is value - min(1, value), as that of rounds after the first.
const SCEV *valueLessOne(const SCEV &number, ScalarEvolution &evolution) {
  auto *sum = dyn_cast<SCEVAddExpr>(&number);
  if (!sum || sum->getNumOperands() != 2)
    return nullptr;
  const SCEV *one = evolution.getOne(sum->getType());
  for (const SCEV *value : sum->operands())
    if (evolution.getMinusSCEV(value, evolution.getSMinExpr(one, value)) == sum)
      return value;
  return nullptr;
}

ConstantRange rangeOf(const SCEV &number, const Loop &loop, ScalarEvolution &evolution) {
  if (const SCEV *value = valueLessOne(number, evolution)) {
    const APInt most = rangeOf(*value, loop, evolution).getSignedMax();
    const APInt zero(most.getBitWidth(), 0);
    return ConstantRange::getNonEmpty(zero, most.isStrictlyPositive() ? most : zero + 1);
  }
  auto *sum = dyn_cast<SCEVAddExpr>(&number);
  if (sum && sum->getNumOperands() == 2 && isa<SCEVConstant>(sum->getOperand(0)))
    return ConstantRange(cast<SCEVConstant>(sum->getOperand(0))->getAPInt())
        .add(rangeOf(*sum->getOperand(1), loop, evolution));
  if (auto *wide = dyn_cast<SCEVSignExtendExpr>(&number))
    return rangeOf(*wide->getOperand(), loop, evolution)
        .signExtend(wide->getType()->getIntegerBitWidth());
  if (auto *wide = dyn_cast<SCEVZeroExtendExpr>(&number)) {
    const SCEV *narrow = wide->getOperand();
    const APInt zero = APInt::getZero(evolution.getTypeSizeInBits(narrow->getType()));
    if (evolution.isLoopEntryGuardedByCond(&loop, ICmpInst::ICMP_SGE, narrow,
                                           evolution.getConstant(zero)))
      return rangeOf(*narrow, loop, evolution)
          .intersectWith(ConstantRange::makeExactICmpRegion(ICmpInst::ICMP_SGE, zero))
          .zeroExtend(wide->getType()->getIntegerBitWidth());
  }
  auto *known = dyn_cast<SCEVUnknown>(&number);
  return known && known->getType()->isIntegerTy() ? rangeOf(*known->getValue(), 0)
                                                  : evolution.getSignedRange(&number);
}

} // namespace

std::optional<uint64_t> mostRounds(const Loop &loop, ScalarEvolution &evolution) {
  const SCEV *others = evolution.getBackedgeTakenCount(&loop);
  if (isa<SCEVCouldNotCompute>(others) || isa<SCEVConstant>(others))
    return std::nullopt;
  const ConstantRange guarded = evolution.getSignedRange(evolution.applyLoopGuards(others, &loop));
  const ConstantRange range =
      rangeOf(*others, loop, evolution).intersectWith(guarded, ConstantRange::Signed);
  // A negative one would be a count without end.
  if (range.isEmptySet() || range.getSignedMax().isNegative() || range.isFullSet())
    return std::nullopt;
  return range.getSignedMax().getZExtValue() + 1;
}

} // namespace cufc
