// Quotients of complex numbers. MLIR computes both cases of Smith's formula and chooses a result,
// with six divisions, and repairs infinities and NaNs in every quotient. Here the operands are
// chosen, which gives the same numbers with three divisions: for (a, b) / (c, d)
//
//   |c| < |d|:  p = d, q = c, x = b, y = a      otherwise:  p = c, q = d, x = a, y = b
//   r = q/p,  n = p + q*r,  real = (x + y*r)/n,  imaginary = +-(y - x*r)/n  (- where |c| < |d|)
//
// and the repair (C23, G.5.1, example 2) stands behind a branch that is taken where both are NaNs.
#include "lower/complex_quotients.h"
#include "flang/Optimizer/Dialect/FIROps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/BuiltinOps.h"

namespace cufc {
namespace {

using namespace mlir;

struct Parts {
  Value real;
  Value imaginary;
};

class Quotient {
public:
  explicit Quotient(complex::DivOp op)
      : op(op), builder(op), loc(op.getLoc()),
        type(cast<FloatType>(cast<ComplexType>(op.getType()).getElementType())),
        dividend(partsOf(op.getLhs())), divisor(partsOf(op.getRhs())) {}

  void replace() {
    Parts result = quotient();
    if (!arith::bitEnumContainsAny(op.getFastmath(), arith::FastMathFlags::nnan))
      result = repairedWhereNan(result);
    builder.setInsertionPoint(op);
    op.replaceAllUsesWith(
        complex::CreateOp::create(builder, loc, op.getType(), result.real, result.imaginary)
            .getResult());
    op.erase();
  }

private:
  Parts partsOf(Value number) {
    return {complex::ReOp::create(builder, loc, type, number),
            complex::ImOp::create(builder, loc, type, number)};
  }

  Parts quotient() {
    Value swapped =
        compare(arith::CmpFPredicate::OLT, magnitude(divisor.real), magnitude(divisor.imaginary));
    Value p = select(swapped, divisor.imaginary, divisor.real),
          q = select(swapped, divisor.real, divisor.imaginary),
          x = select(swapped, dividend.imaginary, dividend.real),
          y = select(swapped, dividend.real, dividend.imaginary);
    Value r = make<arith::DivFOp>(q, p);
    Value n = make<arith::AddFOp>(p, make<arith::MulFOp>(q, r));
    Value real = make<arith::DivFOp>(make<arith::AddFOp>(x, make<arith::MulFOp>(y, r)), n);
    Value xr = make<arith::MulFOp>(x, r);
    Value rest = select(swapped, make<arith::SubFOp>(xr, y), make<arith::SubFOp>(y, xr));
    return {real, make<arith::DivFOp>(rest, n)};
  }

  Parts repairedWhereNan(Parts plain) {
    Value both = arith::AndIOp::create(builder, loc, isNan(plain.real), isNan(plain.imaginary));
    Block *before = op->getBlock();
    if (before->getParent()->getParentOp()->hasTrait<OpTrait::SingleBlock>()) {
      Parts other = repaired(plain);
      return {select(both, other.real, plain.real), select(both, other.imaginary, plain.imaginary)};
    }
    Block *after = before->splitBlock(op);
    Block *repair = builder.createBlock(after);
    Value real = after->addArgument(type, loc), imaginary = after->addArgument(type, loc);
    builder.setInsertionPointToEnd(before);
    cf::CondBranchOp::create(builder, loc, both, repair, ValueRange{}, after,
                             ValueRange{plain.real, plain.imaginary});
    builder.setInsertionPointToEnd(repair);
    Parts other = repaired(plain);
    cf::BranchOp::create(builder, loc, after, ValueRange{other.real, other.imaginary});
    return {real, imaginary};
  }

  // What is infinite or zero where the formula gives NaNs.
  Parts repaired(Parts plain) {
    Value infinity = constant(APFloat::getInf(type.getFloatSemantics())), zero = constant(0.0);
    Value byZero = both(both(equal(divisor.real, zero), equal(divisor.imaginary, zero)),
                        either(isNumber(dividend.real), isNumber(dividend.imaginary)));
    Value signedInfinity = math::CopySignOp::create(builder, loc, infinity, divisor.real);
    Parts overZero = {times(signedInfinity, dividend.real),
                      times(signedInfinity, dividend.imaginary)};
    Value large = both(either(isInfinite(dividend.real), isInfinite(dividend.imaginary)),
                       both(isFinite(divisor.real), isFinite(divisor.imaginary)));
    Value small = both(either(isInfinite(divisor.real), isInfinite(divisor.imaginary)),
                       both(isFinite(dividend.real), isFinite(dividend.imaginary)));
    Parts infinite = product(infinity, units(dividend), divisor);
    Parts vanishing = product(zero, dividend, units(divisor));
    auto choose = [&](Value overZeroPart, Value infinitePart, Value vanishingPart,
                      Value plainPart) {
      return select(byZero, overZeroPart,
                    select(large, infinitePart, select(small, vanishingPart, plainPart)));
    };
    return {choose(overZero.real, infinite.real, vanishing.real, plain.real),
            choose(overZero.imaginary, infinite.imaginary, vanishing.imaginary, plain.imaginary)};
  }

  // 1 for what is infinite and 0 for the rest, with their signs.
  Parts units(Parts z) {
    auto unit = [&](Value part) -> Value {
      return math::CopySignOp::create(builder, loc,
                                      select(isInfinite(part), constant(1.0), constant(0.0)), part);
    };
    return {unit(z.real), unit(z.imaginary)};
  }

  // factor * (u * conjugate of v)
  Parts product(Value factor, Parts u, Parts v) {
    Value real =
        arith::AddFOp::create(builder, loc, times(u.real, v.real), times(u.imaginary, v.imaginary));
    Value imaginary =
        arith::SubFOp::create(builder, loc, times(u.imaginary, v.real), times(u.real, v.imaginary));
    return {times(factor, real), times(factor, imaginary)};
  }

  // An operation of the formula, with the quotient's flags.
  template <typename Operation>
  Value make(Value a, Value b) {
    auto result = Operation::create(builder, loc, a, b);
    result.setFastmath(op.getFastmath());
    return result;
  }
  Value times(Value a, Value b) { return arith::MulFOp::create(builder, loc, a, b); }
  Value select(Value condition, Value a, Value b) {
    return arith::SelectOp::create(builder, loc, condition, a, b);
  }
  Value compare(arith::CmpFPredicate predicate, Value a, Value b) {
    return arith::CmpFOp::create(builder, loc, predicate, a, b);
  }
  Value both(Value a, Value b) { return arith::AndIOp::create(builder, loc, a, b); }
  Value either(Value a, Value b) { return arith::OrIOp::create(builder, loc, a, b); }
  Value magnitude(Value x) { return math::AbsFOp::create(builder, loc, x); }
  Value equal(Value a, Value b) { return compare(arith::CmpFPredicate::OEQ, a, b); }
  Value isNan(Value x) { return compare(arith::CmpFPredicate::UNO, x, x); }
  Value isNumber(Value x) { return compare(arith::CmpFPredicate::ORD, x, x); }
  Value isInfinite(Value x) {
    return equal(magnitude(x), constant(APFloat::getInf(type.getFloatSemantics())));
  }
  Value isFinite(Value x) {
    return compare(arith::CmpFPredicate::OLT, magnitude(x),
                   constant(APFloat::getInf(type.getFloatSemantics())));
  }
  Value constant(const APFloat &value) {
    return arith::ConstantOp::create(builder, loc, builder.getFloatAttr(type, value));
  }
  Value constant(double value) {
    return arith::ConstantOp::create(builder, loc, builder.getFloatAttr(type, value));
  }

  complex::DivOp op;
  OpBuilder builder;
  Location loc;
  FloatType type;
  Parts dividend, divisor;
};

func::FuncOp quotientFunction(ModuleOp module, ComplexType type) {
  const char *name =
      type.getElementType().isF64() ? "cufc_complex_quotient8" : "cufc_complex_quotient4";
  if (auto known = module.lookupSymbol<func::FuncOp>(name))
    return known;
  OpBuilder builder(module.getBodyRegion());
  Location loc = builder.getUnknownLoc();
  auto function =
      func::FuncOp::create(builder, loc, name, builder.getFunctionType({type, type}, {type}));
  Block *entry = function.addEntryBlock();
  builder.setInsertionPointToStart(entry);
  Value quotient =
      complex::DivOp::create(builder, loc, entry->getArgument(0), entry->getArgument(1));
  func::ReturnOp::create(builder, loc, quotient);
  return function;
}

} // namespace

void callComplexQuotients(ModuleOp module) {
  llvm::SmallVector<complex::DivOp> quotients;
  module.walk([&](complex::DivOp op) {
    Type part = cast<ComplexType>(op.getType()).getElementType();
    if ((part.isF32() || part.isF64()) &&
        !arith::bitEnumContainsAny(op.getFastmath(), arith::FastMathFlags::nnan))
      quotients.push_back(op);
  });
  for (complex::DivOp op : quotients) {
    func::FuncOp function = quotientFunction(module, cast<ComplexType>(op.getType()));
    OpBuilder builder(op);
    auto call = fir::CallOp::create(builder, op.getLoc(), function, op.getOperands());
    op.replaceAllUsesWith(call.getResult(0));
    op.erase();
  }
}

void divideComplexNumbers(ModuleOp module) {
  llvm::SmallVector<complex::DivOp> quotients;
  module.walk([&](complex::DivOp op) { quotients.push_back(op); });
  for (complex::DivOp op : quotients)
    Quotient(op).replace();
}

} // namespace cufc
