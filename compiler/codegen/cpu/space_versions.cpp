// Points of an array whose first extent nobody knows:
//
//   real :: pos(:, :)                      if the distance of points is that of 3 numbers:
//   pos(1, i)**2 + pos(2, i)**2 +     =>     for x: the same, of which LLVM knows that it goes
//   pos(3, i)**2                               through the whole array
//                                          else: for x: as it was
//
// LLVM loads such points in whole vectors and takes them apart, and gathers others one by one. How
// many numbers a point has is taken to be how many are used.
#include "codegen/cpu/space_versions.h"
#include "codegen/cpu/loop_versions.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace cufc {
namespace {

using namespace llvm;

constexpr size_t mostInstructions = 200; // of a loop, which is copied
constexpr size_t mostBlocks = 400;       // of the function
constexpr int64_t mostNumbers = 4;       // of a point

class SpaceLoop {
public:
  SpaceLoop(Loop &loop, LoopInfo &loops, DominatorTree &dominators, ScalarEvolution &evolution)
      : loop(loop), loops(loops), dominators(dominators), evolution(evolution) {}

  bool run() {
    BasicBlock *before = loop.getLoopPreheader(), *exit = loop.getExitBlock();
    if (!before || !exit || !loop.getExitingBlock() || !loop.isLCSSAForm(dominators) ||
        instructionsOf(loop) > mostInstructions ||
        loop.getHeader()->getParent()->size() > mostBlocks || !findDistances())
      return false;
    BasicBlock *preheader = SplitEdge(before, loop.getHeader(), &dominators, &loops);
    ValueToValueMapTy map;
    Loop *copy = copyBeside(loop, preheader, before, ".space", map, loops, dominators);
    Instruction *end = before->getTerminator();
    IRBuilder<> builder(end);
    Value *isSpace = builder.getTrue();
    for (auto [factor, number] : distances) {
      Value *known = ConstantInt::get(factor->getType(), static_cast<uint64_t>(number));
      isSpace = builder.CreateAnd(isSpace, builder.CreateICmpEQ(factor, known));
      factor->replaceUsesWithIf(known, [&](Use &use) {
        auto *user = dyn_cast<Instruction>(use.getUser());
        return user && copy->contains(user);
      });
    }
    builder.CreateCondBr(isSpace, copy->getLoopPreheader(), preheader);
    end->eraseFromParent();
    return true;
  }

private:
  // What is multiplied by the thread's number in an address: a distance in bytes, or in elements.
  struct Factor {
    Value *value = nullptr;
    int64_t bytes = 1;
  };

  Factor factorOf(const SCEV *step) const {
    int64_t bytes = 1;
    if (auto *product = dyn_cast<SCEVMulExpr>(step)) {
      auto *number = dyn_cast<SCEVConstant>(product->getOperand(0));
      if (!number || product->getNumOperands() != 2 || number->getAPInt().getSignificantBits() > 8)
        return {};
      bytes = number->getAPInt().getSExtValue();
      step = product->getOperand(1);
    }
    if (isa<SCEVConstant>(step) || !evolution.isLoopInvariant(step, &loop))
      return {};
    // What the loop multiplies by.
    for (BasicBlock *block : loop.blocks())
      for (Instruction &instruction : *block)
        if (instruction.getOpcode() == Instruction::Mul)
          for (Value *operand : instruction.operands())
            if (loop.isLoopInvariant(operand) && isOfValue(step, evolution.getSCEV(operand)))
              return {operand, bytes};
    return {};
  }

  static bool isOfValue(const SCEV *step, const SCEV *value) {
    auto *extended = dyn_cast<SCEVIntegralCastExpr>(step);
    return step == value || (extended && extended->getOperand() == value);
  }

  // Accesses of the same numbers of other points, by the factor and what they have in common.
  struct Points {
    const SCEV *first;
    int64_t least = 0, greatest = 0; // of the distances from the first, in bytes
    int64_t size;                    // of a number
    int64_t bytes;                   // that the factor is multiplied by
    size_t accesses = 1;
    Value *unit = nullptr; // the distance of two numbers, if that is not known
  };

  bool findDistances() {
    MapVector<Value *, SmallVector<Points, 2>> found;
    for (BasicBlock *block : loop.blocks())
      for (Instruction &instruction : *block)
        if (Value *address = getLoadStorePointerOperand(&instruction))
          if (const SCEV *step = threadStep(*address, loop, evolution))
            if (Factor factor = factorOf(step); factor.value)
              add(found[factor.value], evolution.getSCEV(address), factor.bytes,
                  block->getDataLayout().getTypeStoreSize(getLoadStoreType(&instruction)));
    for (auto &[factor, arrays] : found) {
      int64_t numbers = 0;
      for (const Points &points : arrays)
        if (points.accesses > 1)
          numbers = std::max(numbers, (points.greatest - points.least) / points.size + 1);
      const Points &one = arrays.front();
      if (numbers < 2 || numbers > mostNumbers ||
          any_of(arrays,
                 [&](const Points &points) {
                   return points.size != one.size || points.bytes != one.bytes;
                 }) ||
          numbers * one.size % one.bytes != 0)
        continue;
      for (const Points &points : arrays)
        if (points.unit)
          distances.emplace_back(points.unit, points.size);
      distances.emplace_back(factor, numbers * one.size / one.bytes);
    }
    return !distances.empty();
  }

  void add(SmallVectorImpl<Points> &arrays, const SCEV *address, int64_t bytes, TypeSize size) {
    const auto ofNumber = static_cast<int64_t>(size.getFixedValue());
    for (Points &points : arrays) {
      const SCEV *distance = evolution.getMinusSCEV(address, points.first);
      if (isa<SCEVCouldNotCompute>(distance)) // of another array
        continue;
      const SCEV *times = evolution.getOne(distance->getType());
      if (auto *product = dyn_cast<SCEVMulExpr>(distance);
          product && product->getNumOperands() == 2) {
        times = product->getOperand(0);
        distance = product->getOperand(1);
      }
      Value *of = unknown(distance); // a unit that is not known
      const int64_t unit = of ? ofNumber : 1;
      if (of)
        distance = times;
      auto *known = dyn_cast<SCEVConstant>(distance);
      if (!known || points.size != ofNumber || known->getAPInt().getSignificantBits() > 32 ||
          (points.unit && of && points.unit != of))
        continue;
      const int64_t number = known->getAPInt().getSExtValue() * unit;
      if (number % ofNumber != 0)
        continue;
      if (of)
        points.unit = of;
      points.least = std::min(points.least, number);
      points.greatest = std::max(points.greatest, number);
      ++points.accesses;
      return;
    }
    arrays.push_back({address, 0, 0, ofNumber, bytes, 1, nullptr});
  }

  Value *unknown(const SCEV *part) const {
    auto *one = dyn_cast<SCEVUnknown>(part);
    return one && isa<Instruction>(one->getValue()) && loop.isLoopInvariant(one->getValue())
               ? one->getValue()
               : nullptr;
  }

  Loop &loop;
  LoopInfo &loops;
  DominatorTree &dominators;
  ScalarEvolution &evolution;
  SmallVector<std::pair<Value *, int64_t>, 2> distances; // factors, and what they are probably
};

} // namespace

bool versionForSpace(Loop &loop, LoopInfo &loops, DominatorTree &dominators,
                     ScalarEvolution &evolution) {
  return SpaceLoop(loop, loops, dominators, evolution).run();
}

} // namespace cufc
