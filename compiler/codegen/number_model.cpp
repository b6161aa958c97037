// Fortran's model of real numbers (Fortran 2018, 16.4) on their bits. With x = fraction * 2**e and
// the fraction between 0.5 and 1:
//   exponent e      fraction    set_exponent fraction * 2**i      scale x * 2**i
//   spacing 2**(e - digits)     rrspacing |fraction| * 2**digits  nearest by libm's nextafter
// A subnormal number is multiplied by 2**digits first. Infinity has no fraction and gives NaN.
#include "codegen/number_model.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include <cmath>

namespace cufc {
namespace {

using namespace llvm;

class Model {
public:
  explicit Model(Function &function)
      : function(function), builder(BasicBlock::Create(function.getContext(), "entry", &function)),
        x(function.getArg(0)), type(x->getType()),
        integer(builder.getIntNTy(type->getScalarSizeInBits())),
        digits(static_cast<int>(APFloat::semanticsPrecision(type->getFltSemantics()))),
        bias(APFloat::semanticsMaxExponent(type->getFltSemantics())) {
    readBits();
  }

  bool build(StringRef name) {
    Value *result = value(name);
    if (!result)
      return false;
    builder.CreateRet(result);
    function.setLinkage(GlobalValue::InternalLinkage);
    function.addFnAttr(Attribute::AlwaysInline);
    return true;
  }

private:
  Value *value(StringRef name) {
    if (name.starts_with("Exponent"))
      return exponentOrHuge();
    if (name.starts_with("Fraction"))
      return ifFinite(fraction());
    if (name.starts_with("SetExponent"))
      return ifFinite(scaled(fraction(), function.getArg(1)));
    if (name.starts_with("Scale"))
      return scaled(x, function.getArg(1));
    if (name.starts_with("Nearest"))
      return nearest();
    if (name.starts_with("Spacing"))
      return ifFinite(spacing());
    if (name.starts_with("RRSpacing"))
      return ifFinite(scaled(builder.CreateUnaryIntrinsic(Intrinsic::fabs, fraction()),
                             builder.getInt64(digits)));
    return nullptr;
  }

  ConstantInt *bits(uint64_t value) { return ConstantInt::get(integer, value); }
  uint64_t exponentField() const { return 2 * static_cast<uint64_t>(bias) + 1; }

  // The bits of x times `lift`, and the exponent from them.
  void readBits() {
    Value *raw = field(builder.CreateBitCast(x, integer));
    Value *subnormal = builder.CreateICmpEQ(raw, bits(0));
    Value *lift = builder.CreateSelect(subnormal, ConstantFP::get(type, std::ldexp(1.0, digits)),
                                       ConstantFP::get(type, 1));
    lifted = builder.CreateBitCast(builder.CreateFMul(x, lift), integer);
    Value *places = builder.CreateSelect(subnormal, bits(digits), bits(0));
    exponent = builder.CreateSub(builder.CreateSub(field(lifted), bits(bias - 1)), places);
    finite = builder.CreateICmpNE(raw, bits(exponentField()));
    zero = builder.CreateFCmpOEQ(x, ConstantFP::get(type, 0));
  }

  Value *field(Value *word) {
    return builder.CreateAnd(builder.CreateLShr(word, digits - 1), bits(exponentField()));
  }

  // x - x is NaN for infinity and for NaN.
  Value *ifFinite(Value *result) {
    return builder.CreateSelect(finite, result, builder.CreateFSub(x, x));
  }

  Value *exponentOrHuge() {
    auto *result = cast<IntegerType>(function.getReturnType());
    Value *number = builder.CreateSExtOrTrunc(exponent, result);
    number = builder.CreateSelect(zero, ConstantInt::get(result, 0), number);
    Value *largest = ConstantInt::get(result, APInt::getSignedMaxValue(result->getBitWidth()));
    return builder.CreateSelect(finite, number, largest);
  }

  Value *fraction() {
    uint64_t mask = exponentField() << (digits - 1);
    Value *rest = builder.CreateAnd(lifted, builder.CreateNot(bits(mask)));
    Value *word = builder.CreateOr(rest, bits(static_cast<uint64_t>(bias - 1) << (digits - 1)));
    return builder.CreateSelect(zero, x, builder.CreateBitCast(word, type));
  }

  // C's scalbln, which libm_names.inc and codegen/device_intrinsics.cpp know.
  Value *scaled(Value *number, Value *places) {
    Type *wide = builder.getInt64Ty();
    FunctionCallee callee = function.getParent()->getOrInsertFunction(
        type->isFloatTy() ? "scalblnf" : "scalbln", FunctionType::get(type, {type, wide}, false));
    return builder.CreateCall(callee, {number, builder.CreateSExtOrTrunc(places, wide)});
  }

  Value *nearest() {
    Value *up = function.getArg(1);
    up = builder.CreateICmpNE(up, Constant::getNullValue(up->getType()));
    Value *towards = builder.CreateSelect(up, ConstantFP::getInfinity(type),
                                          ConstantFP::getInfinity(type, /*Negative=*/true));
    FunctionCallee callee =
        function.getParent()->getOrInsertFunction(type->isFloatTy() ? "nextafterf" : "nextafter",
                                                  FunctionType::get(type, {type, type}, false));
    return builder.CreateCall(callee, {x, towards});
  }

  // That of zero is the smallest normal number.
  Value *spacing() {
    Value *places = builder.CreateSExtOrTrunc(exponent, builder.getInt64Ty());
    Value *distance =
        scaled(ConstantFP::get(type, 1), builder.CreateSub(places, builder.getInt64(digits)));
    Value *tiny = ConstantFP::get(type, APFloat::getSmallestNormalized(type->getFltSemantics()));
    return builder.CreateSelect(zero, tiny, distance);
  }

  Function &function;
  IRBuilder<> builder;
  Value *x;
  Type *type;
  IntegerType *integer;
  int digits, bias;
  Value *lifted = nullptr, *exponent = nullptr, *finite = nullptr, *zero = nullptr;
};

} // namespace

bool defineNumberModel(Function &function) {
  StringRef name = function.getName();
  static constexpr StringLiteral stems[] = {"Exponent", "Fraction", "SetExponent", "Scale",
                                            "Nearest",  "Spacing",  "RRSpacing"};
  if (!name.consume_front("_FortranA") ||
      none_of(stems, [&](StringRef stem) { return name.starts_with(stem); }))
    return false;
  return Model(function).build(name);
}

} // namespace cufc
