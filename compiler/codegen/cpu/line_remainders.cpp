// The lines of a tile with its halo, on a periodic grid:
//
//   for y: j = modulo(first + y, n)        j = modulo(first, n)
//          for x: t(x, y) = a(..., j) =>   for y: for x: t(x, y) = a(..., j)
//                                                 j = j == n - 1 ? 0 : j + 1
//
// A division takes as long as a short line does. What goes up by one goes through the remainders in
// turn: MODULO through 0 to n - 1, or n + 1 to 0 for a divisor below zero, as long as the index
// does not leave its type; so does MOD of an index that is not negative.
#include "codegen/cpu/line_remainders.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

namespace cufc {
namespace {

using namespace llvm;
using namespace llvm::PatternMatch;

class LineRemainders {
public:
  LineRemainders(Function &function, LoopInfo &loops, ScalarEvolution &evolution)
      : function(function), loops(loops), evolution(evolution), expander(evolution, "line") {}

  bool run() {
    bool changed = false;
    for (BasicBlock &block : function) {
      Loop *lines = loops.getLoopFor(&block);
      if (!lines || lines->isInnermost() || !lines->getLoopPreheader() || !lines->getLoopLatch())
        continue;
      for (Instruction &instruction : block)
        changed |= replaceModulo(instruction, *lines) || replaceMod(instruction, *lines);
    }
    return changed;
  }

private:
  // remainder /= 0 .and. ieor(index, divisor) < 0 ? remainder + divisor : remainder
  bool replaceModulo(Instruction &instruction, Loop &lines) {
    Value *condition = nullptr, *remainder = nullptr, *number = nullptr, *index = nullptr;
    Value *x = nullptr, *y = nullptr;
    if (!match(&instruction,
               m_Select(m_Value(condition), m_Add(m_Value(remainder), m_Value(number)),
                        m_Deferred(remainder))) ||
        !match(condition, m_LogicalAnd(m_Value(x), m_Value(y))) ||
        !match(remainder, m_SRem(m_Value(index), m_Specific(number))))
      return false;
    auto isNotZero = m_SpecificICmp(ICmpInst::ICMP_NE, m_Specific(remainder), m_Zero());
    auto hasOtherSign = m_SpecificICmp(ICmpInst::ICMP_SLT,
                                       m_c_Xor(m_Specific(index), m_Specific(number)), m_Zero());
    if (!(match(x, isNotZero) && match(y, hasOtherSign)) &&
        !(match(y, isNotZero) && match(x, hasOtherSign)))
      return false;
    return count(instruction, *index, *number, lines, /*isFloor=*/true);
  }

  bool replaceMod(Instruction &instruction, Loop &lines) {
    const bool isRemainder = instruction.getOpcode() == Instruction::SRem;
    return isRemainder &&
           evolution.isKnownNonNegative(evolution.getSCEV(instruction.getOperand(0))) &&
           count(instruction, *instruction.getOperand(0), *instruction.getOperand(1), lines,
                 /*isFloor=*/false);
  }

  bool staysInType(const SCEVAddRecExpr &line, const Loop &lines) {
    auto *rounds = dyn_cast<SCEVConstant>(evolution.getConstantMaxBackedgeTakenCount(&lines));
    if (line.hasNoSignedWrap())
      return true;
    const APInt first = APIntOps::smax(evolution.getSignedRangeMax(line.getStart()),
                                       APInt(line.getType()->getIntegerBitWidth(), 0));
    const APInt room = APInt::getSignedMaxValue(first.getBitWidth()) - first;
    return rounds && room.getLimitedValue() >= rounds->getAPInt().getLimitedValue();
  }

  bool count(Instruction &result, Value &index, Value &number, Loop &lines, bool isFloor) {
    auto *line = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(&index));
    Instruction *before = lines.getLoopPreheader()->getTerminator();
    if (result.use_empty() || isa<Constant>(number) || !lines.isLoopInvariant(&number) || !line ||
        line->getLoop() != &lines || !line->isAffine() || !staysInType(*line, lines) ||
        !line->getStepRecurrence(evolution)->isOne() ||
        !expander.isSafeToExpandAt(line->getStart(), before))
      return false;
    Type *type = result.getType();
    Value *zero = ConstantInt::get(type, 0), *one = ConstantInt::get(type, 1);
    IRBuilder<> builder(before);
    Value *start = expander.expandCodeFor(line->getStart(), type, before);
    builder.SetInsertPoint(before);
    // Without effect where nobody divides: by 0, or the least number by -1.
    Value *fixed = builder.CreateFreeze(&number);
    Value *isUnfit = builder.CreateICmpULE(builder.CreateAdd(fixed, one), one);
    Value *divisor = builder.CreateSelect(isUnfit, one, fixed);
    start = builder.CreateFreeze(start);
    Value *remainder = builder.CreateSRem(start, divisor);
    Value *isPositive = builder.CreateICmpSGT(divisor, zero);
    Value *last = nullptr, *next = zero, *first = remainder;
    if (isFloor) {
      Value *isOther = builder.CreateICmpSLT(builder.CreateXor(start, divisor), zero);
      Value *corrects = builder.CreateAnd(builder.CreateICmpNE(remainder, zero), isOther);
      first = builder.CreateSelect(corrects, builder.CreateAdd(remainder, divisor), remainder);
      last = builder.CreateSelect(isPositive, builder.CreateSub(divisor, one), zero);
      next = builder.CreateSelect(isPositive, zero, builder.CreateAdd(divisor, one));
    } else {
      last = builder.CreateSub(
          builder.CreateSelect(isPositive, divisor, builder.CreateNeg(divisor)), one);
    }
    PHINode *turn = PHINode::Create(type, 2, "line.remainder", lines.getHeader()->begin());
    turn->addIncoming(first, lines.getLoopPreheader());
    builder.SetInsertPoint(lines.getLoopLatch()->getTerminator());
    Value *later =
        builder.CreateSelect(builder.CreateICmpEQ(turn, last), next, builder.CreateAdd(turn, one));
    turn->addIncoming(later, lines.getLoopLatch());
    result.replaceAllUsesWith(turn);
    return true;
  }

  Function &function;
  LoopInfo &loops;
  ScalarEvolution &evolution;
  SCEVExpander expander;
};

} // namespace

bool countRemainders(Function &function, LoopInfo &loops, ScalarEvolution &evolution) {
  return LineRemainders(function, loops, evolution).run();
}

} // namespace cufc
