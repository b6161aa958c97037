// flang converts by llvm.fptosi.sat: to the nearest integer that there is, and a NaN to 0. A GPU's
// conversion does the first by itself, rounding in any direction:
//
//   fptosi.sat(floor(x))   ->   cvt.rmi.s32.f64 x
//
// That of a NaN is 0 for numbers of 32 bits, else the smallest integer (PTX, "cvt"), which NVPTX
// compares for; but a result that the type does not have is the program's fault (Fortran
// 2018, 16.1).
//
// A signed integer of 32 bits becomes real(4) in a fourth of the time that one of 16 takes, or one
// of which ptxas sees that it has no more:
//
//   cvt.rn.f32.s16 x         ->   cvt.s32.s16 y, x; cvt.rn.f32.s32 y
//   cvt.rn.f32.u32 x & 255   ->   cvt.rn.f32.s32 x & 255
#include "codegen/gpu/integer_conversions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

namespace cufc {
namespace {

using namespace llvm;
using namespace llvm::PatternMatch;

enum class Direction { Zero, Down, Up };

struct Conversion {
  Value *number;
  Direction direction;
};

Conversion withRounding(Value *number) {
  Value *exact = nullptr;
  if (match(number, m_Intrinsic<Intrinsic::floor>(m_Value(exact))))
    return {exact, Direction::Down};
  if (match(number, m_Intrinsic<Intrinsic::ceil>(m_Value(exact))))
    return {exact, Direction::Up};
  return {number, Direction::Zero};
}

Intrinsic::ID conversionOf(bool fromDouble, bool toWide, Direction direction) {
  static constexpr Intrinsic::ID all[2][2][3] = {
      {{Intrinsic::nvvm_f2i_rz, Intrinsic::nvvm_f2i_rm, Intrinsic::nvvm_f2i_rp},
       {Intrinsic::nvvm_f2ll_rz, Intrinsic::nvvm_f2ll_rm, Intrinsic::nvvm_f2ll_rp}},
      {{Intrinsic::nvvm_d2i_rz, Intrinsic::nvvm_d2i_rm, Intrinsic::nvvm_d2i_rp},
       {Intrinsic::nvvm_d2ll_rz, Intrinsic::nvvm_d2ll_rm, Intrinsic::nvvm_d2ll_rp}}};
  return all[fromDouble][toWide][static_cast<int>(direction)];
}

// To 8 and 16 bits by 32.
Value *converted(IRBuilder<> &builder, Value *from, Type *type) {
  const unsigned bits = type->getIntegerBitWidth();
  auto [number, direction] = withRounding(from);
  Value *integer = builder.CreateIntrinsic(
      conversionOf(number->getType()->isDoubleTy(), bits == 64, direction), {number});
  if (bits >= 32)
    return integer;
  auto limit = [&](const APInt &value) { return builder.getInt(value.sext(32)); };
  integer = builder.CreateBinaryIntrinsic(Intrinsic::smax, integer,
                                          limit(APInt::getSignedMinValue(bits)));
  integer = builder.CreateBinaryIntrinsic(Intrinsic::smin, integer,
                                          limit(APInt::getSignedMaxValue(bits)));
  return builder.CreateTrunc(integer, type);
}

bool isInstruction(const IntrinsicInst &call) {
  const Type *from = call.getArgOperand(0)->getType(), *type = call.getType();
  return (from->isFloatTy() || from->isDoubleTy()) &&
         (type->isIntegerTy(8) || type->isIntegerTy(16) || type->isIntegerTy(32) ||
          type->isIntegerTy(64));
}

} // namespace

// With the number before 1/2 no sum is rounded to an integer that is too far away, nor are numbers
// changed that are integers because of their size.
void roundByAddition(IntrinsicInst &call) {
  IRBuilder<> builder(&call);
  Value *number = call.getArgOperand(0);
  APFloat half(number->getType()->getFltSemantics(), "0.5");
  half.next(/*nextDown=*/true);
  Value *sum = builder.CreateFAdd(
      number, builder.CreateCopySign(ConstantFP::get(number->getType(), half), number));
  call.replaceAllUsesWith(call.getType()->isIntegerTy()
                              ? builder.CreateFPToSI(sum, call.getType())
                              : builder.CreateUnaryIntrinsic(Intrinsic::trunc, sum));
  call.eraseFromParent();
}

void convertBySaturation(Module &module) {
  SmallVector<IntrinsicInst *> conversions;
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      if (auto *call = dyn_cast<IntrinsicInst>(&instruction);
          call && call->getIntrinsicID() == Intrinsic::fptosi_sat && isInstruction(*call))
        conversions.push_back(call);
  for (IntrinsicInst *call : conversions) {
    IRBuilder<> builder(call);
    Value *from = call->getArgOperand(0);
    call->replaceAllUsesWith(converted(builder, from, call->getType()));
    call->eraseFromParent();
    if (auto *rounding = dyn_cast<IntrinsicInst>(from); rounding && rounding->use_empty())
      rounding->eraseFromParent();
  }
}

void convertFromWords(Module &module) {
  SmallVector<CastInst *> conversions;
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      if (isa<SIToFPInst, UIToFPInst>(instruction) && instruction.getType()->isFloatTy())
        conversions.push_back(cast<CastInst>(&instruction));
  for (CastInst *conversion : conversions) {
    Value *from = conversion->getOperand(0);
    const unsigned bits = from->getType()->getIntegerBitWidth();
    const bool isSigned = isa<SIToFPInst>(conversion);
    if (bits != 8 && bits != 16 && (bits != 32 || isSigned || !conversion->hasNonNeg()))
      continue;
    IRBuilder<> builder(conversion);
    Value *word = builder.CreateIntCast(from, builder.getInt32Ty(), isSigned);
    conversion->replaceAllUsesWith(builder.CreateSIToFP(word, conversion->getType()));
    conversion->eraseFromParent();
  }
}

} // namespace cufc
