// A DO loop counts its iterations in 64 bits and its variable in 32. Where both are the same
// number, as in
//
//   do k = n, 1, -1
//
// LLVM keeps the first and cuts it for each use of the other: `sext(trunc(count))`, or two shifts.
// That hides from what follows that the subscript goes down by one, so that each access multiplies
// 64-bit numbers for its address. Where the count fits into 32 bits, which the loop's guard and its
// bound tell, it is taken whole.
#include "codegen/gpu/truncated_counters.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"

namespace cufc {
namespace {

using namespace llvm;
using namespace llvm::PatternMatch;

constexpr unsigned bits = 32;

// A 64-bit value of which the instruction takes the lower 32 bits with their sign, times a power of
// 2. No value: the instruction does something else.
struct Cut {
  Value *whole = nullptr;
  uint64_t doublings = 0;
};

Cut cutOf(Instruction &instruction) {
  Value *whole = nullptr;
  uint64_t back = bits;
  bool isCut =
      match(&instruction, m_SExt(m_Trunc(m_Value(whole)))) ||
      match(&instruction, m_AShr(m_Shl(m_Value(whole), m_SpecificInt(bits)), m_ConstantInt(back)));
  if (!isCut || back > bits || whole->getType() != instruction.getType() ||
      !instruction.getType()->isIntegerTy(2 * bits))
    return {};
  return {whole, bits - back};
}

// Whether it is one when the loop begins.
bool isNarrow(const SCEV *value, Loop &loop, ScalarEvolution &evolution) {
  if (evolution.getSignedRange(evolution.applyLoopGuards(value, &loop)).getMinSignedBits() <= bits)
    return true;
  auto *extended = dyn_cast<SCEVZeroExtendExpr>(value);
  return extended && extended->getOperand()->getType()->isIntegerTy(bits) &&
         evolution.isLoopEntryGuardedByCond(&loop, ICmpInst::ICMP_SGE, extended->getOperand(),
                                            evolution.getZero(extended->getOperand()->getType()));
}

// The same, read off the instruction: scalar evolution takes extended sums apart and forgets that
// the sum did not overflow.
bool startsNarrow(const Value &value, const Loop &loop) {
  auto *variable = dyn_cast<PHINode>(&value);
  BasicBlock *before = loop.getLoopPreheader();
  if (!variable || variable->getParent() != loop.getHeader() || !before)
    return false;
  auto *extended = dyn_cast<SExtInst>(variable->getIncomingValueForBlock(before));
  return extended && extended->getSrcTy()->isIntegerTy(bits);
}

// Whether the loop goes on with values only that are not beyond those of 32 bits.
bool staysNarrow(const SCEVAddRecExpr &count, const APInt &step, Loop &loop,
                 ScalarEvolution &evolution) {
  bool falls = step.isNegative();
  APInt limit = falls ? APInt::getSignedMinValue(bits) : APInt::getSignedMaxValue(bits);
  auto isGuarded = [&](const SCEV *value, const APInt &bound) {
    return evolution.isLoopBackedgeGuardedByCond(&loop,
                                                 falls ? ICmpInst::ICMP_SGE : ICmpInst::ICMP_SLE,
                                                 value, evolution.getConstant(bound));
  };
  limit = limit.sext(2 * bits);
  return isGuarded(&count, limit - step) || isGuarded(count.getPostIncExpr(evolution), limit);
}

// Whether all values of the count in the loop are those of a 32-bit integer: the first is, and the
// last is or no later one is beyond them.
bool fits(Value &value, Loop &loop, ScalarEvolution &evolution) {
  auto *count = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(&value));
  auto *step = count ? dyn_cast<SCEVConstant>(count->getStepRecurrence(evolution)) : nullptr;
  if (!step || count->getLoop() != &loop || !count->isAffine() ||
      step->getAPInt().getSignificantBits() > bits ||
      !(startsNarrow(value, loop) || isNarrow(count->getStart(), loop, evolution)))
    return false;
  if (staysNarrow(*count, step->getAPInt(), loop, evolution))
    return true;
  const SCEV *trips = evolution.getBackedgeTakenCount(&loop);
  return !isa<SCEVCouldNotCompute>(trips) && trips->getType() == count->getType() &&
         evolution.getUnsignedRangeMax(evolution.applyLoopGuards(trips, &loop)).getActiveBits() <=
             bits && // or it may go all the way around
         isNarrow(count->evaluateAtIteration(trips, evolution), loop, evolution);
}

struct WidenTruncatedCounters : PassInfoMixin<WidenTruncatedCounters> {
  PreservedAnalyses run(Loop &loop, LoopAnalysisManager &, LoopStandardAnalysisResults &results,
                        LPMUpdater &) {
    bool changed = false;
    for (BasicBlock *block : loop.blocks())
      for (Instruction &instruction : *block)
        if (Cut cut = cutOf(instruction); cut.whole && fits(*cut.whole, loop, results.SE)) {
          results.SE.forgetValue(&instruction);
          IRBuilder<> builder(&instruction);
          instruction.replaceAllUsesWith(
              cut.doublings ? builder.CreateShl(cut.whole, cut.doublings, "", false, true)
                            : cut.whole);
          changed = true;
        }
    return changed ? getLoopPassPreservedAnalyses() : PreservedAnalyses::all();
  }
};

} // namespace

void widenTruncatedCounters(PassBuilder &builder) {
  builder.registerLateLoopOptimizationsEPCallback(
      [](LoopPassManager &passes, OptimizationLevel) { passes.addPass(WidenTruncatedCounters()); });
}

} // namespace cufc
