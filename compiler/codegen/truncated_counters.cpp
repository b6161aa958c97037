// A DO loop counts its iterations in 64 bits and its variable in 32. Where both are the same
// number, as in
//
//   do k = n, 1, -1
//
// LLVM keeps the first and cuts it for each use of the other: `sext(trunc(count))`. That hides from
// what follows that the subscript goes down by one, so that each access multiplies 64-bit numbers
// for its address. Where the count fits into 32 bits, which the loop's guard and its bound tell, it
// is taken whole.
#include "codegen/truncated_counters.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"

namespace cufc {
namespace {

using namespace llvm;
using namespace llvm::PatternMatch;

constexpr unsigned bits = 32;

// The 64-bit value that the instruction cuts to 32 bits and extends again, or null.
Value *wholeOf(Instruction &instruction) {
  Value *whole = nullptr;
  bool isCut =
      match(&instruction, m_SExt(m_Trunc(m_Value(whole)))) ||
      match(&instruction, m_AShr(m_Shl(m_Value(whole), m_SpecificInt(bits)), m_SpecificInt(bits)));
  return isCut && whole->getType() == instruction.getType() &&
                 instruction.getType()->isIntegerTy(2 * bits)
             ? whole
             : nullptr;
}

// Whether all values of the count in the loop are those of a 32-bit integer.
bool fits(Value &value, Loop &loop, ScalarEvolution &evolution) {
  auto *count = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(&value));
  auto *step = count ? dyn_cast<SCEVConstant>(count->getStepRecurrence(evolution)) : nullptr;
  auto *trips = dyn_cast<SCEVConstant>(evolution.getConstantMaxBackedgeTakenCount(&loop));
  if (!step || !trips || count->getLoop() != &loop || !count->isAffine())
    return false;
  ConstantRange start =
      evolution.getSignedRange(evolution.applyLoopGuards(count->getStart(), &loop));
  constexpr unsigned wide = 4 * bits; // in which nothing overflows
  if (trips->getAPInt().getActiveBits() > bits || step->getAPInt().getSignificantBits() > bits)
    return false;
  APInt distance = step->getAPInt().sextOrTrunc(wide) * trips->getAPInt().zextOrTrunc(wide);
  APInt least = start.getSignedMin().sext(wide), most = start.getSignedMax().sext(wide);
  (distance.isNegative() ? least : most) += distance;
  return least.getSignificantBits() <= bits && most.getSignificantBits() <= bits;
}

struct WidenTruncatedCounters : PassInfoMixin<WidenTruncatedCounters> {
  PreservedAnalyses run(Loop &loop, LoopAnalysisManager &, LoopStandardAnalysisResults &results,
                        LPMUpdater &) {
    bool changed = false;
    for (BasicBlock *block : loop.blocks())
      for (Instruction &instruction : *block)
        if (Value *whole = wholeOf(instruction); whole && fits(*whole, loop, results.SE)) {
          results.SE.forgetValue(&instruction);
          instruction.replaceAllUsesWith(whole);
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
