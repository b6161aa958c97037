// z + a*b in complex numbers is real(z) + (real(a)*real(b) - aimag(a)*aimag(b)), of which a GPU
// makes a product, a fused one and a sum. Fortran lets a processor compute what is mathematically
// the same (F2023, 10.1.5.2.4), and
//
//   (real(z) + real(a)*real(b)) - aimag(a)*aimag(b)
//
// are two fused ones, which round once less. Only the parts of a complex product are taken apart:
// parentheses in a program are kept. What may be is marked by the flag `reassoc` without `nsz`,
// which no option gives; it is gone before LLVM's passes see it.
#include "codegen/gpu/complex_sums.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Transforms/Utils/Local.h"

namespace cufc {
namespace {

using namespace llvm;

bool isMarked(const Instruction &instruction) {
  return isa<FPMathOperator>(instruction) && instruction.hasAllowReassoc() &&
         !instruction.hasNoSignedZeros();
}

// Addition or subtraction, with the mark.
BinaryOperator *markedSum(Value *value) {
  auto *sum = dyn_cast<BinaryOperator>(value);
  const bool isSum =
      sum && (sum->getOpcode() == Instruction::FAdd || sum->getOpcode() == Instruction::FSub);
  return isSum && isMarked(*sum) ? sum : nullptr;
}

// A part of a complex product: a sum of two products that nothing else needs.
BinaryOperator *partOfProduct(Value *value) {
  BinaryOperator *sum = markedSum(value);
  auto isProduct = [](const Value *operand) {
    auto *product = dyn_cast<BinaryOperator>(operand);
    return product && product->getOpcode() == Instruction::FMul;
  };
  return sum && sum->hasOneUse() && isProduct(sum->getOperand(0)) && isProduct(sum->getOperand(1))
             ? sum
             : nullptr;
}

// s + (p +- q) or s - (p +- q); null if the sum is another one.
Value *inParts(BinaryOperator &sum) {
  const bool isSubtraction = sum.getOpcode() == Instruction::FSub;
  Value *rest = sum.getOperand(0);
  BinaryOperator *part = partOfProduct(sum.getOperand(1));
  if (!part && !isSubtraction) {
    part = partOfProduct(rest);
    rest = sum.getOperand(1);
  }
  if (!part)
    return nullptr;
  IRBuilder<> builder(&sum);
  builder.setFastMathFlags(sum.getFastMathFlags());
  const bool secondIsSubtracted = isSubtraction != (part->getOpcode() == Instruction::FSub);
  Value *first = part->getOperand(0), *second = part->getOperand(1);
  Value *value = isSubtraction ? builder.CreateFSub(rest, first) : builder.CreateFAdd(rest, first);
  return secondIsSubtracted ? builder.CreateFSub(value, second) : builder.CreateFAdd(value, second);
}

} // namespace

void addProductsInParts(Module &module, bool fuses) {
  for (Function &function : module) {
    SmallVector<WeakTrackingVH> sums;
    for (Instruction &instruction : instructions(function))
      if (fuses && markedSum(&instruction))
        sums.emplace_back(&instruction);
    for (WeakTrackingVH &handle : sums) // which is null where it was a part of another one
      if (auto *sum = cast_or_null<BinaryOperator>(handle))
        if (Value *value = inParts(*sum)) {
          sum->replaceAllUsesWith(value);
          RecursivelyDeleteTriviallyDeadInstructions(sum);
        }
    for (Instruction &instruction : instructions(function))
      if (isMarked(instruction))
        instruction.setHasAllowReassoc(false);
  }
}

} // namespace cufc
