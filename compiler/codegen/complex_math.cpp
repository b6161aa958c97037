// Complex functions from real ones, by the textbook formulas with z = x + iy:
//   exp z = e^x (cos y + i sin y)          log z = log |z| + i atan2(y, x)
//   sin z = sin x cosh y + i cos x sinh y  cos z = cos x cosh y - i sin x sinh y
//   z**w = exp(w log z)                    sqrt: without cancellation, see `squareRoot`
// Real functions are called by their names in libm, which become libdevice's later.
#include "codegen/complex_math.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace cufc {
namespace {

using namespace llvm;

struct Complex {
  Value *re;
  Value *im;
};

class Body {
public:
  Body(Function &function, StringRef name)
      : function(function), name(name.str()),
        builder(BasicBlock::Create(function.getContext(), "entry", &function)) {
    Complex z = argument(0);
    type = z.re->getType();
  }

  void build() {
    StringRef stem = StringRef(name).drop_front();
    if (type->isFloatTy())
      stem = stem.drop_back();
    Complex z = argument(0);
    if (stem == "abs") {
      builder.CreateRet(modulus(z));
    } else {
      Complex result = stem == "exp"    ? exponential(z)
                       : stem == "log"  ? logarithm(z)
                       : stem == "sqrt" ? squareRoot(z)
                       : stem == "pow"  ? power(z, argument(1))
                       : stem == "sin"  ? sine(z)
                       : stem == "cos"  ? cosine(z)
                       : stem == "sinh" ? hyperbolicSine(z)
                       : stem == "cosh" ? hyperbolicCosine(z)
                       : stem == "tan"  ? divide(sine(z), cosine(z))
                                        : divide(hyperbolicSine(z), hyperbolicCosine(z));
      builder.CreateRet(pack(result));
    }
    function.setLinkage(GlobalValue::InternalLinkage);
    function.addFnAttr(Attribute::AlwaysInline); // real functions of two complex ones are shared
  }

private:
  Complex argument(unsigned i) {
    Value *value = function.getArg(i);
    return {builder.CreateExtractValue(value, 0), builder.CreateExtractValue(value, 1)};
  }
  Value *pack(Complex z) {
    Value *value = PoisonValue::get(function.getReturnType());
    return builder.CreateInsertValue(builder.CreateInsertValue(value, z.re, 0), z.im, 1);
  }
  Value *call(StringRef real, ArrayRef<Value *> arguments) {
    std::string symbol = real.str() + (type->isFloatTy() ? "f" : "");
    SmallVector<Type *> types(arguments.size(), type);
    FunctionCallee callee =
        function.getParent()->getOrInsertFunction(symbol, FunctionType::get(type, types, false));
    return builder.CreateCall(callee, arguments);
  }
  Value *constant(double value) { return ConstantFP::get(type, value); }
  Value *mul(Value *a, Value *b) { return builder.CreateFMul(a, b); }

  Value *modulus(Complex z) { return call("hypot", {z.re, z.im}); }

  Complex exponential(Complex z) {
    Value *scale = call("exp", {z.re});
    return {mul(scale, call("cos", {z.im})), mul(scale, call("sin", {z.im}))};
  }
  Complex logarithm(Complex z) { return {call("log", {modulus(z)}), call("atan2", {z.im, z.re})}; }
  Complex sine(Complex z) {
    return {mul(call("sin", {z.re}), call("cosh", {z.im})),
            mul(call("cos", {z.re}), call("sinh", {z.im}))};
  }
  Complex cosine(Complex z) {
    return {mul(call("cos", {z.re}), call("cosh", {z.im})),
            builder.CreateFNeg(mul(call("sin", {z.re}), call("sinh", {z.im})))};
  }
  Complex hyperbolicSine(Complex z) {
    return {mul(call("sinh", {z.re}), call("cos", {z.im})),
            mul(call("cosh", {z.re}), call("sin", {z.im}))};
  }
  Complex hyperbolicCosine(Complex z) {
    return {mul(call("cosh", {z.re}), call("cos", {z.im})),
            mul(call("sinh", {z.re}), call("sin", {z.im}))};
  }

  Complex multiply(Complex a, Complex b) {
    return {builder.CreateFSub(mul(a.re, b.re), mul(a.im, b.im)),
            builder.CreateFAdd(mul(a.re, b.im), mul(a.im, b.re))};
  }
  Complex divide(Complex a, Complex b) {
    Value *norm = builder.CreateFAdd(mul(b.re, b.re), mul(b.im, b.im));
    Complex product = multiply(a, {b.re, builder.CreateFNeg(b.im)});
    return {builder.CreateFDiv(product.re, norm), builder.CreateFDiv(product.im, norm)};
  }

  // 0**w is 0, which the logarithm would make a NaN.
  Complex power(Complex z, Complex w) {
    Value *isZero = builder.CreateFCmpOEQ(modulus(z), constant(0));
    Complex result = exponential(multiply(w, logarithm(z)));
    return {builder.CreateSelect(isZero, constant(0), result.re),
            builder.CreateSelect(isZero, constant(0), result.im)};
  }

  // With t = sqrt((|x| + |z|) / 2): t + i y/2t for x >= 0, |y|/2t + i t sign(y) otherwise.
  Complex squareRoot(Complex z) {
    Value *sum = builder.CreateFAdd(call("fabs", {z.re}), modulus(z));
    Value *t = call("sqrt", {mul(sum, constant(0.5))});
    Value *quotient = builder.CreateFDiv(z.im, builder.CreateFAdd(t, t));
    Value *isZero = builder.CreateFCmpOEQ(t, constant(0));
    quotient = builder.CreateSelect(isZero, z.im, quotient);
    Value *right = builder.CreateFCmpOGE(z.re, constant(0));
    return {builder.CreateSelect(right, t, call("fabs", {quotient})),
            builder.CreateSelect(right, quotient, call("copysign", {t, z.im}))};
  }

  Function &function;
  std::string name;
  IRBuilder<> builder;
  Type *type = nullptr;
};

} // namespace

void defineComplexMath(Module &module) {
  for (const char *name : {
#define CUF_DEVICE_COMPLEX(name) #name, #name "f",
#include "tables/device_math.def"
#undef CUF_DEVICE_COMPLEX
       })
    if (Function *function = module.getFunction(name); function && function->isDeclaration())
      Body(*function, name).build();
}

void defineComplexPower(Function &function) {
  LLVMContext &context = function.getContext();
  BasicBlock *entry = BasicBlock::Create(context, "entry", &function);
  BasicBlock *loop = BasicBlock::Create(context, "loop", &function);
  BasicBlock *exit = BasicBlock::Create(context, "exit", &function);
  IRBuilder<> builder(entry);
  Value *z = function.getArg(0), *n = function.getArg(1);
  Type *real = z->getType()->getStructElementType(0);
  Value *magnitude = builder.CreateBinaryIntrinsic(Intrinsic::abs, n, builder.getFalse());
  Value *re = builder.CreateExtractValue(z, 0), *im = builder.CreateExtractValue(z, 1);
  builder.CreateBr(loop);

  builder.SetInsertPoint(loop);
  Type *integer = n->getType();
  PHINode *rest = builder.CreatePHI(integer, 2);
  PHINode *values[4]; // result and base, real and imaginary
  Value *start[4] = {ConstantFP::get(real, 1), ConstantFP::get(real, 0), re, im};
  for (unsigned i = 0; i < 4; ++i) {
    values[i] = builder.CreatePHI(real, 2);
    values[i]->addIncoming(start[i], entry);
  }
  rest->addIncoming(magnitude, entry);
  auto product = [&](Value *a, Value *b, Value *c, Value *d) -> Complex {
    return {builder.CreateFSub(builder.CreateFMul(a, c), builder.CreateFMul(b, d)),
            builder.CreateFAdd(builder.CreateFMul(a, d), builder.CreateFMul(b, c))};
  };
  Value *odd = builder.CreateTrunc(rest, builder.getInt1Ty());
  Complex taken = product(values[0], values[1], values[2], values[3]);
  Value *resultRe = builder.CreateSelect(odd, taken.re, values[0]);
  Value *resultIm = builder.CreateSelect(odd, taken.im, values[1]);
  Complex square = product(values[2], values[3], values[2], values[3]);
  Value *next[4] = {resultRe, resultIm, square.re, square.im};
  for (unsigned i = 0; i < 4; ++i)
    values[i]->addIncoming(next[i], loop);
  Value *half = builder.CreateLShr(rest, 1);
  rest->addIncoming(half, loop);
  builder.CreateCondBr(builder.CreateICmpEQ(half, ConstantInt::get(integer, 0)), exit, loop);

  builder.SetInsertPoint(exit);
  Value *norm = builder.CreateFAdd(builder.CreateFMul(resultRe, resultRe),
                                   builder.CreateFMul(resultIm, resultIm));
  Value *negative = builder.CreateICmpSLT(n, ConstantInt::get(integer, 0));
  Value *inverseRe = builder.CreateFDiv(resultRe, norm);
  Value *inverseIm = builder.CreateFDiv(builder.CreateFNeg(resultIm), norm);
  Value *result = PoisonValue::get(function.getReturnType());
  result =
      builder.CreateInsertValue(result, builder.CreateSelect(negative, inverseRe, resultRe), 0);
  result =
      builder.CreateInsertValue(result, builder.CreateSelect(negative, inverseIm, resultIm), 1);
  builder.CreateRet(result);
  function.setLinkage(GlobalValue::InternalLinkage);
}

} // namespace cufc
