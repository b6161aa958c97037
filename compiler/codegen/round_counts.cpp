// The number of rounds of a DO statement is a quotient with a sign, (last - first + step)/step,
// which scalar evolution does not look into. Its range follows from that of a thread's index.
#include "codegen/round_counts.h"
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

ConstantRange rangeOf(const Value &value, unsigned depth) {
  auto *operation = dyn_cast<BinaryOperator>(&value);
  auto *cast = dyn_cast<CastInst>(&value);
  const unsigned opcode = operation ? operation->getOpcode() : 0;
  if (depth < mostDepth &&
      (opcode == Instruction::SDiv || opcode == Instruction::Sub || opcode == Instruction::Add))
    return rangeOf(*operation->getOperand(0), depth + 1)
        .binaryOp(operation->getOpcode(), rangeOf(*operation->getOperand(1), depth + 1));
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

ConstantRange rangeOf(const SCEV &number, ScalarEvolution &evolution) {
  if (const SCEV *value = valueLessOne(number, evolution)) {
    const APInt most = rangeOf(*value, evolution).getSignedMax();
    const APInt zero(most.getBitWidth(), 0);
    return ConstantRange::getNonEmpty(zero, most.isStrictlyPositive() ? most : zero + 1);
  }
  auto *sum = dyn_cast<SCEVAddExpr>(&number);
  if (sum && sum->getNumOperands() == 2 && isa<SCEVConstant>(sum->getOperand(0)))
    return ConstantRange(cast<SCEVConstant>(sum->getOperand(0))->getAPInt())
        .add(rangeOf(*sum->getOperand(1), evolution));
  if (auto *wide = dyn_cast<SCEVSignExtendExpr>(&number))
    return rangeOf(*wide->getOperand(), evolution)
        .signExtend(wide->getType()->getIntegerBitWidth());
  auto *known = dyn_cast<SCEVUnknown>(&number);
  return known && known->getType()->isIntegerTy() ? rangeOf(*known->getValue(), 0)
                                                  : evolution.getSignedRange(&number);
}

} // namespace

std::optional<uint64_t> mostRounds(Loop &loop, ScalarEvolution &evolution) {
  const SCEV *others = evolution.getBackedgeTakenCount(&loop);
  if (isa<SCEVCouldNotCompute>(others) || isa<SCEVConstant>(others))
    return std::nullopt;
  const ConstantRange guarded = evolution.getSignedRange(evolution.applyLoopGuards(others, &loop));
  const ConstantRange range =
      rangeOf(*others, evolution).intersectWith(guarded, ConstantRange::Signed);
  // A negative one would be a count without end.
  if (range.isEmptySet() || range.getSignedMax().isNegative() || range.isFullSet())
    return std::nullopt;
  return range.getSignedMax().getZExtValue() + 1;
}

} // namespace cufc
