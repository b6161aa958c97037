//   if (condition) sum = sum + x   =>   sum = sum + (condition ? x : -0.0)
//
// LLVM 22 takes the first form for a reduction only where all rules of arithmetic are off
// (RecurrenceDescriptor::isConditionalRdxPattern), the second one where sums may be reassociated.
// Adding -0.0 changes no number, nor does multiplying by 1.
#include "codegen/cpu/conditional_sums.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Passes/PassBuilder.h"

namespace cufc {
namespace {

using namespace llvm;
using namespace llvm::PatternMatch;

// What is chosen, by a phi or a select: a value as it was, or with something added or multiplied.
class Choice {
public:
  Choice(Instruction &instruction, const DominatorTree &dominators)
      : instruction(instruction), dominators(dominators) {
    if (auto *phi = dyn_cast<PHINode>(&instruction))
      for (Use &value : phi->incoming_values())
        values.push_back(&value);
    else
      values = {&instruction.getOperandUse(1), &instruction.getOperandUse(2)};
  }

  bool run() {
    const bool found = any_of(values, [&](Use *value) { return isBase(*value->get()); });
    if (!found)
      return false;
    rewrite();
    return true;
  }

private:
  // Whether each value is that, or an operation on it.
  bool isBase(Value &value) {
    base = &value;
    operation = 0;
    auto *before = dyn_cast<Instruction>(&value);
    if (!before || before == &instruction || !dominators.dominates(before, &instruction))
      return false;
    return all_of(values,
                  [&](Use *use) { return use->get() == base || readOperation(*use->get()); }) &&
           operation != 0;
  }

  bool readOperation(Value &value) {
    auto *result = dyn_cast<BinaryOperator>(&value);
    if (!result || !result->hasOneUse() || !result->hasAllowReassoc())
      return false;
    const unsigned kind =
        result->getOpcode() == Instruction::FSub ? Instruction::FAdd : result->getOpcode();
    if ((kind != Instruction::FAdd && kind != Instruction::FMul) ||
        (operation != 0 && operation != kind) || !otherOf(*result))
      return false;
    operation = kind;
    return true;
  }

  // What is added to the base or multiplied with it.
  Value *otherOf(const BinaryOperator &result) const {
    if (result.getOperand(0) == base)
      return result.getOperand(1) == base ? nullptr : result.getOperand(1);
    return result.isCommutative() && result.getOperand(1) == base ? result.getOperand(0) : nullptr;
  }

  void rewrite() {
    Constant *neutral = ConstantExpr::getBinOpIdentity(operation, instruction.getType());
    FastMathFlags flags; // what else is known holds where the condition does
    flags.setAllowReassoc();
    Instruction *chosen = instruction.clone();
    chosen->copyFastMathFlags(FastMathFlags());
    chosen->insertBefore(instruction.getIterator());
    for (Use *use : values) {
      Value *part = neutral;
      if (auto *result = dyn_cast<BinaryOperator>(use->get()); result && result != base) {
        part = otherOf(*result);
        if (result->getOpcode() == Instruction::FSub)
          part = IRBuilder<>(result).CreateFNeg(part);
      }
      chosen->setOperand(use->getOperandNo(), part);
    }
    BasicBlock &block = *instruction.getParent();
    IRBuilder<> builder(&block, isa<PHINode>(instruction) ? block.getFirstInsertionPt()
                                                          : instruction.getIterator());
    builder.setFastMathFlags(flags);
    Value *all = builder.CreateBinOp(static_cast<Instruction::BinaryOps>(operation), base, chosen);
    SmallVector<Instruction *> old;
    for (Use *use : values)
      if (use->get() != base)
        old.push_back(cast<Instruction>(use->get()));
    instruction.replaceAllUsesWith(all);
    instruction.eraseFromParent();
    for (Instruction *result : old)
      result->eraseFromParent();
  }

  Instruction &instruction;
  const DominatorTree &dominators;
  SmallVector<Use *> values;
  Value *base = nullptr;
  unsigned operation = 0;
};

struct ConditionalSums : PassInfoMixin<ConditionalSums> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
    auto &loops = analyses.getResult<LoopAnalysis>(function);
    auto &dominators = analyses.getResult<DominatorTreeAnalysis>(function);
    bool changed = false;
    for (Loop *loop : loops.getLoopsInPreorder())
      if (loop->isInnermost() && reduces(*loop) && computes(*loop))
        for (BasicBlock *block : loop->blocks())
          for (Instruction &instruction : make_early_inc_range(*block))
            if (isChoice(instruction, *loop))
              changed |= Choice(instruction, dominators).run();
    if (!changed)
      return PreservedAnalyses::all();
    PreservedAnalyses kept;
    kept.preserveSet<CFGAnalyses>();
    return kept;
  }

private:
  static bool reduces(const Loop &loop) {
    return any_of(loop.getHeader()->phis(),
                  [](const PHINode &phi) { return phi.getType()->isFloatingPointTy(); });
  }

  // Others wait for memory, of which a branch reads less.
  static bool computes(const Loop &loop) {
    return any_of(loop.blocks(), [](const BasicBlock *block) {
      return any_of(*block, [](const Instruction &instruction) {
        return instruction.getType()->isFloatingPointTy() &&
               (isa<CallBase>(instruction) || instruction.getOpcode() == Instruction::FDiv);
      });
    });
  }

  static bool isChoice(const Instruction &instruction, const Loop &loop) {
    return instruction.getType()->isFloatingPointTy() &&
           (isa<SelectInst>(instruction) ||
            (isa<PHINode>(instruction) && instruction.getParent() != loop.getHeader()));
  }
};

} // namespace

void addUnconditionally(PassBuilder &builder) {
  builder.registerVectorizerStartEPCallback(
      [](FunctionPassManager &passes, OptimizationLevel level) {
        if (level.getSpeedupLevel() > 1)
          passes.addPass(ConditionalSums());
      });
}

} // namespace cufc
