// int(x) is llvm.fptosi.sat: the nearest integer that there is for what is too large, 0 for NaN.
// LLVM's vectorisers count one conversion for it, but its code for x86 takes vectors apart, with
// two comparisons for each element. Here it becomes, where the largest integer is a real number,
// too,
//
//   NaN ? 0 : fptosi(min(max(x, least), largest))
//
// and otherwise, with the first real number above it,
//
//   x >= above ? largest : fptosi(x < above ? max(x, least) : 0)
//
// in which NaNs come to the 0. What `max` and `min` stand for gives the second operand for NaNs, as
// the processor's instructions do.
#include "codegen/cpu/vector_conversions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"
#include <cmath>

namespace cufc {
namespace {

using namespace llvm;

constexpr unsigned shortest = 32; // bits that processors convert to

class Conversion {
public:
  explicit Conversion(IntrinsicInst &call)
      : builder(&call), real(call.getArgOperand(0)), type(call.getType()),
        bits(type->getScalarSizeInBits()) {}

  Value *make() {
    const unsigned digits = static_cast<unsigned>(
        APFloat::semanticsPrecision(real->getType()->getScalarType()->getFltSemantics()));
    return bits - 1 <= digits ? fromBounds() : fromBelow();
  }

private:
  Constant *realOf(double value) const { return ConstantFP::get(real->getType(), value); }
  Constant *least() const { return realOf(-std::ldexp(1.0, static_cast<int>(bits) - 1)); }

  Value *maximum(Value *value, Constant *bound) {
    return builder.CreateSelect(builder.CreateFCmpOGT(value, bound), value, bound);
  }

  Value *minimum(Value *value, Constant *bound) {
    return builder.CreateSelect(builder.CreateFCmpOLT(value, bound), value, bound);
  }

  Value *convert(Value *value) {
    Type *wide = type->getWithNewBitWidth(std::max(bits, shortest));
    return builder.CreateTrunc(builder.CreateFPToSI(value, wide), type);
  }

  Value *fromBounds() {
    Constant *largest = realOf(std::ldexp(1.0, static_cast<int>(bits) - 1) - 1);
    Value *integer = convert(minimum(maximum(real, least()), largest));
    return builder.CreateSelect(builder.CreateFCmpUNO(real, real), Constant::getNullValue(type),
                                integer);
  }

  Value *fromBelow() {
    Constant *above = realOf(std::ldexp(1.0, static_cast<int>(bits) - 1));
    Value *isBelow = builder.CreateFCmpOLT(real, above);
    Value *integer = convert(builder.CreateSelect(isBelow, maximum(real, least()), realOf(0)));
    return builder.CreateSelect(builder.CreateFCmpOGE(real, above),
                                ConstantInt::get(type, APInt::getSignedMaxValue(bits)), integer);
  }

  IRBuilder<> builder;
  Value *real;
  Type *type;
  unsigned bits;
};

bool isOfVector(const IntrinsicInst &call) {
  auto *type = dyn_cast<FixedVectorType>(call.getType());
  if (call.getIntrinsicID() != Intrinsic::fptosi_sat || !type)
    return false;
  Type *from = call.getArgOperand(0)->getType()->getScalarType();
  return (from->isFloatTy() || from->isDoubleTy()) &&
         is_contained({8U, 16U, 32U, 64U}, type->getScalarSizeInBits());
}

} // namespace

void convertWholeVectors(Module &module, const TargetMachine &target) {
  if (!target.getTargetTriple().isX86())
    return;
  for (Function &function : module)
    for (Instruction &instruction : make_early_inc_range(instructions(function)))
      if (auto *call = dyn_cast<IntrinsicInst>(&instruction); call && isOfVector(*call)) {
        call->replaceAllUsesWith(Conversion(*call).make());
        call->eraseFromParent();
      }
}

} // namespace cufc
