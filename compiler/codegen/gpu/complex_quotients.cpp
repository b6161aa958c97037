// A GPU takes some twenty instructions for a division and a branch for numbers that are very large
// or small, and Smith's formula has three. Here one reciprocal is enough, of a number that is
// neither. With s, a power of 2 for which max(|c*s|, |d*s|) is between 1/4 and 1/2,
//
//   n = (c*s)**2 + (d*s)**2,  x = (a*s)*(c*s) + (b*s)*(d*s),  y = (b*s)*(c*s) - (a*s)*(d*s)
//   (a, b)/(c, d) = (x/n, y/n),  where x/n = q + (x - n*q)/n,  q = x*(1/n)
//
// No step overflows if the quotient does not. Its parts are as near as Smith's formula has them,
// which is some units in the last place of the larger one, and exact where all products and the
// quotient are, as of small whole numbers. Products are rounded before they are added, so that z/z
// is 1 and no more. Where a part is a NaN, as with infinities, a divisor of zero and results that
// overflow, a rare branch says what comes out.
#include "codegen/gpu/complex_quotients.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"

namespace cufc {
namespace {

using namespace llvm;

struct Complex {
  Value *re, *im;
};

class Body {
public:
  explicit Body(Function &function)
      : function(function), builder(function.getContext()),
        type(function.getReturnType()->getStructElementType(0)), isDouble(type->isDoubleTy()) {}

  void build() {
    LLVMContext &context = function.getContext();
    auto *entry = BasicBlock::Create(context, "entry", &function),
         *rare = BasicBlock::Create(context, "rare", &function),
         *exit = BasicBlock::Create(context, "exit", &function);
    builder.SetInsertPoint(entry);
    const Complex dividend = {part(0, 0), part(0, 1)}, divisor = {part(1, 0), part(1, 1)};
    Value *s = scale(divisor);
    const Complex scaled = {product(divisor.re, s), product(divisor.im, s)};
    Value *n = fma(scaled.re, scaled.re, product(scaled.im, scaled.im));
    Value *inverse = reciprocal(n);
    const Complex lifted = {product(dividend.re, s), product(dividend.im, s)},
                  numerator = timesConjugate(lifted, scaled),
                  plain = {product(numerator.re, inverse), product(numerator.im, inverse)},
                  exact = {corrected(plain.re, numerator.re, n, inverse),
                           corrected(plain.im, numerator.im, n, inverse)};
    builder.CreateCondBr(builder.CreateFCmpUNO(exact.re, exact.im), rare, exit,
                         MDBuilder(context).createUnlikelyBranchWeights());
    builder.SetInsertPoint(rare);
    // Where the quotient overflows, nothing else does if the dividend is not multiplied first.
    const Complex rest = timesConjugate(dividend, scaled),
                  large = {product(product(rest.re, s), inverse),
                           product(product(rest.im, s), inverse)},
                  known = {numberOr(exact.re, large.re), numberOr(exact.im, large.im)},
                  other = repaired(known, dividend, divisor);
    builder.CreateBr(exit);
    builder.SetInsertPoint(exit);
    PHINode *re = builder.CreatePHI(type, 2), *im = builder.CreatePHI(type, 2);
    re->addIncoming(exact.re, entry);
    re->addIncoming(other.re, rare);
    im->addIncoming(exact.im, entry);
    im->addIncoming(other.im, rare);
    Value *result = PoisonValue::get(function.getReturnType());
    result = builder.CreateInsertValue(result, re, 0);
    builder.CreateRet(builder.CreateInsertValue(result, im, 1));
  }

private:
  Value *part(unsigned argument, unsigned number) {
    return builder.CreateExtractValue(function.getArg(argument), number);
  }

  // Rounded, whatever is added to it.
  Value *product(Value *a, Value *b) {
    Intrinsic::ID rounded = isDouble ? Intrinsic::nvvm_mul_rn_d : Intrinsic::nvvm_mul_rn_f;
    return builder.CreateIntrinsic(rounded, {}, {a, b});
  }
  Complex timesConjugate(Complex u, Complex v) {
    return {builder.CreateFAdd(product(u.re, v.re), product(u.im, v.im)),
            builder.CreateFSub(product(u.im, v.re), product(u.re, v.im))};
  }
  Value *fma(Value *a, Value *b, Value *c) {
    return builder.CreateIntrinsic(Intrinsic::fma, {type}, {a, b, c});
  }

  // Sign, exponent and the upper part of the mantissa.
  Value *upperBits(Value *number) {
    Value *bits = builder.CreateBitCast(number, builder.getIntNTy(isDouble ? 64 : 32));
    return isDouble ? builder.CreateTrunc(builder.CreateLShr(bits, 32), builder.getInt32Ty())
                    : bits;
  }

  // The power of 2. Numbers without an exponent, which are almost zero, get the largest one, and
  // those next to infinity the smallest.
  Value *scale(Complex z) {
    const uint32_t exponent = isDouble ? 0x7ff00000 : 0x7f800000,
                   unit = isDouble ? 0x100000 : 0x800000;
    const uint32_t twice = exponent - 3 * unit; // of 1, less 2**-2
    auto unsignedBits = [&](Value *x) { return builder.CreateAnd(upperBits(x), 0x7fffffffU); };
    Value *larger =
        builder.CreateBinaryIntrinsic(Intrinsic::smax, unsignedBits(z.re), unsignedBits(z.im));
    Value *bits = builder.CreateSub(builder.getInt32(twice), builder.CreateAnd(larger, exponent));
    bits = builder.CreateBinaryIntrinsic(Intrinsic::smax, bits, builder.getInt32(unit));
    if (isDouble)
      bits = builder.CreateShl(builder.CreateZExt(bits, builder.getInt64Ty()), 32);
    return builder.CreateBitCast(bits, type);
  }

  // By Newton's method, from a value with 23 bits or, cubically, 20.
  Value *reciprocal(Value *n) {
    Intrinsic::ID gross =
        isDouble ? Intrinsic::nvvm_rcp_approx_ftz_d : Intrinsic::nvvm_rcp_approx_ftz_f;
    Value *start = builder.CreateIntrinsic(gross, {}, {n});
    Value *error = fma(builder.CreateFNeg(n), start, ConstantFP::get(type, 1));
    if (isDouble)
      error = fma(error, error, error);
    return fma(start, error, start);
  }

  // The signs are such that a zero keeps its own.
  Value *corrected(Value *q, Value *x, Value *n, Value *inverse) {
    Value *excess = fma(n, q, builder.CreateFNeg(x));
    return fma(builder.CreateFNeg(excess), inverse, q);
  }

  // What is infinite or zero where both parts are NaNs (C23, G.5.1, example 2), as in
  // lower/complex_quotients.cpp. A part that is infinite is so without the correction.
  Complex repaired(Complex plain, Complex dividend, Complex divisor) {
    Value *infinity = ConstantFP::getInfinity(type), *zero = ConstantFP::getZero(type);
    Value *byZero = builder.CreateAnd(builder.CreateAnd(builder.CreateFCmpOEQ(divisor.re, zero),
                                                        builder.CreateFCmpOEQ(divisor.im, zero)),
                                      builder.CreateOr(builder.CreateFCmpORD(dividend.re, zero),
                                                       builder.CreateFCmpORD(dividend.im, zero)));
    Value *large = builder.CreateAnd(hasInfinity(dividend), isFinite(divisor)),
          *small = builder.CreateAnd(hasInfinity(divisor), isFinite(dividend));
    const Complex infinite = timesConjugate(units(dividend), divisor),
                  vanishing = timesConjugate(dividend, units(divisor));
    Value *both = builder.CreateAnd(builder.CreateFCmpUNO(plain.re, zero),
                                    builder.CreateFCmpUNO(plain.im, zero));
    Value *signedInfinity = copysign(infinity, divisor.re);
    auto choose = [&](Value *own, Value *overZero, Value *infinitePart, Value *vanishingPart) {
      Value *value = builder.CreateSelect(small, product(zero, vanishingPart), own);
      value = builder.CreateSelect(large, product(infinity, infinitePart), value);
      value = builder.CreateSelect(byZero, product(signedInfinity, overZero), value);
      return builder.CreateSelect(both, value, own);
    };
    return {choose(plain.re, dividend.re, infinite.re, vanishing.re),
            choose(plain.im, dividend.im, infinite.im, vanishing.im)};
  }

  Value *numberOr(Value *x, Value *other) {
    return builder.CreateSelect(builder.CreateFCmpUNO(x, x), other, x);
  }
  Value *magnitude(Value *x) { return builder.CreateUnaryIntrinsic(Intrinsic::fabs, x); }
  Value *copysign(Value *x, Value *sign) {
    return builder.CreateBinaryIntrinsic(Intrinsic::copysign, x, sign);
  }
  Value *isInfinite(Value *x) {
    return builder.CreateFCmpOEQ(magnitude(x), ConstantFP::getInfinity(type));
  }
  Value *hasInfinity(Complex z) { return builder.CreateOr(isInfinite(z.re), isInfinite(z.im)); }
  Value *isFinite(Complex z) {
    Value *infinity = ConstantFP::getInfinity(type);
    return builder.CreateAnd(builder.CreateFCmpOLT(magnitude(z.re), infinity),
                             builder.CreateFCmpOLT(magnitude(z.im), infinity));
  }
  // 1 for what is infinite and 0 for the rest, with their signs.
  Complex units(Complex z) {
    auto unit = [&](Value *x) {
      return copysign(
          builder.CreateSelect(isInfinite(x), ConstantFP::get(type, 1), ConstantFP::getZero(type)),
          x);
    };
    return {unit(z.re), unit(z.im)};
  }

  Function &function;
  IRBuilder<> builder;
  Type *type;
  const bool isDouble;
};

} // namespace

void divideByReciprocals(Module &module) {
  SmallVector<Function *> quotients;
  for (Function &function : module)
    if (function.getName().starts_with("cufc_complex_quotient") && !function.isDeclaration())
      quotients.push_back(&function);
  for (Function *quotient : quotients) {
    quotient->deleteBody();
    quotient->setLinkage(GlobalValue::InternalLinkage);
    Body(*quotient).build();
  }
}

} // namespace cufc
