// Arithmetic that flang makes more general than it is.
//
// A complex number over a real one: flang makes the divisor complex, and the quotient that of
// complex numbers, with a third division and a repair of infinities and NaNs in each element of a
// loop. Here
//
//   (a, b) / (c, 0)   ->   ((a + 0)/c, (b - 0)/c)
//
// where the zeros have the signs of b*c and a*c, as in the general formula: what it gives for
// finite numbers is the same, down to the signs of zeros. So it is with the product,
//
//   (c, 0) * (a, b)   ->   (c*a - 0, c*b + 0)
//
// where the zeros have the signs of b and of a.
//
// Powers of 2 and of -1 with an integer as the exponent, for which flang has a loop of products:
//
//   2**n      ->   0 <= n < bits ? 1 << n : 0
//   (-1)**n   ->   1 - 2*(n mod 2)
#include "lower/simpler_arithmetic.h"
#include "flang/Optimizer/Dialect/FIROps.h"
#include "flang/Optimizer/Dialect/FIRType.h"
#include "lower/complex_quotients.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"

namespace cufc {
namespace {

using namespace mlir;

bool isPart(fir::InsertValueOp part, int64_t number) {
  ArrayAttr place = part.getCoor();
  auto index = place.size() == 1 ? dyn_cast<IntegerAttr>(place[0]) : IntegerAttr();
  return index && index.getInt() == number;
}

// The real number that has been made complex; null if it is another one.
Value realNumber(Value number) {
  auto imaginary = number.getDefiningOp<fir::InsertValueOp>();
  if (!imaginary || !isPart(imaginary, 1) || !matchPattern(imaginary.getVal(), m_PosZeroFloat()))
    return {};
  auto real = imaginary.getAdt().getDefiningOp<fir::InsertValueOp>();
  return real && isPart(real, 0) ? real.getVal() : Value();
}

class Product {
public:
  Product(fir::MulcOp op, Value factor, Value other)
      : op(op), factor(factor), other(other), builder(op), loc(op.getLoc()) {}

  void replace() {
    Type part = factor.getType();
    Value a = complex::ReOp::create(builder, loc, part, other),
          b = complex::ImOp::create(builder, loc, part, other);
    Value real = product(a), imaginary = product(b);
    if (!arith::bitEnumContainsAny(op.getFastmath(), arith::FastMathFlags::nsz)) {
      real = withFlags(arith::SubFOp::create(builder, loc, real, zeroLike(b)));
      imaginary = withFlags(arith::AddFOp::create(builder, loc, imaginary, zeroLike(a)));
    }
    op.replaceAllUsesWith(
        complex::CreateOp::create(builder, loc, op.getType(), real, imaginary).getResult());
    op.erase();
  }

private:
  template <typename Operation>
  Value withFlags(Operation result) {
    result.setFastmath(op.getFastmath());
    return result;
  }

  Value product(Value part) { return withFlags(arith::MulFOp::create(builder, loc, factor, part)); }

  Value zeroLike(Value part) {
    Value zero = arith::ConstantOp::create(builder, loc, builder.getFloatAttr(part.getType(), 0.0));
    return math::CopySignOp::create(builder, loc, zero, part);
  }

  fir::MulcOp op;
  Value factor, other;
  OpBuilder builder;
  Location loc;
};

void multiplyByReals(ModuleOp module) {
  llvm::SmallVector<fir::MulcOp> products;
  module.walk([&](fir::MulcOp op) { products.push_back(op); });
  for (fir::MulcOp op : products)
    if (Value factor = realNumber(op.getLhs()))
      Product(op, factor, op.getRhs()).replace();
    else if (Value other = realNumber(op.getRhs()))
      Product(op, other, op.getLhs()).replace();
}

class Quotient {
public:
  Quotient(complex::DivOp op, Value divisor)
      : op(op), divisor(divisor), builder(op), loc(op.getLoc()) {}

  void replace() {
    Type part = divisor.getType();
    Value a = complex::ReOp::create(builder, loc, part, op.getLhs()),
          b = complex::ImOp::create(builder, loc, part, op.getLhs());
    Value zero = arith::ConstantOp::create(builder, loc, builder.getFloatAttr(part, 0.0));
    Value sign = math::CopySignOp::create(builder, loc, zero, divisor);
    auto zeroOf = [&](Value x) -> Value {
      Value one = arith::ConstantOp::create(builder, loc, builder.getFloatAttr(part, 1.0));
      return arith::MulFOp::create(builder, loc, math::CopySignOp::create(builder, loc, one, x),
                                   sign);
    };
    Value real = arith::AddFOp::create(builder, loc, a, zeroOf(b)),
          imaginary = arith::SubFOp::create(builder, loc, b, zeroOf(a));
    op.replaceAllUsesWith(
        complex::CreateOp::create(builder, loc, op.getType(), quotient(real), quotient(imaginary))
            .getResult());
    op.erase();
  }

private:
  Value quotient(Value dividend) {
    auto result = arith::DivFOp::create(builder, loc, dividend, divisor);
    result.setFastmath(op.getFastmath());
    return result;
  }

  complex::DivOp op;
  Value divisor;
  OpBuilder builder;
  Location loc;
};

void divideByReals(ModuleOp module) {
  llvm::SmallVector<complex::DivOp> quotients;
  module.walk([&](complex::DivOp op) { quotients.push_back(op); });
  for (complex::DivOp op : quotients)
    if (Value divisor = realNumber(op.getRhs()))
      Quotient(op, divisor).replace();
}

// The number in parentheses, as -1 must be to be a base.
Value inParentheses(Value value) {
  while (auto parentheses = value.getDefiningOp<fir::NoReassocOp>())
    value = parentheses.getVal();
  return value;
}

// The value of `base` to the power `n`; null if the base is another one.
Value powerOf(const APInt &base, Value n, OpBuilder &builder, Location loc) {
  auto type = cast<IntegerType>(n.getType());
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(type, value));
  };
  if (base == 2) {
    Value small = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, n,
                                        constant(type.getWidth()));
    Value within = arith::SelectOp::create(builder, loc, small, n, constant(0));
    Value power = arith::ShLIOp::create(builder, loc, constant(1), within);
    return arith::SelectOp::create(builder, loc, small, power, constant(0));
  }
  if (!base.isAllOnes())
    return {};
  Value odd = arith::AndIOp::create(builder, loc, n, constant(1));
  Value twice = arith::AddIOp::create(builder, loc, odd, odd);
  return arith::SubIOp::create(builder, loc, constant(1), twice);
}

void simplifyPowers(ModuleOp module) {
  llvm::SmallVector<math::IPowIOp> powers;
  module.walk([&](math::IPowIOp op) { powers.push_back(op); });
  for (math::IPowIOp op : powers) {
    OpBuilder builder(op);
    APInt base;
    if (!isa<IntegerType>(op.getType()) ||
        !matchPattern(inParentheses(op.getLhs()), m_ConstantInt(&base)))
      continue;
    if (Value power = powerOf(base, op.getRhs(), builder, op.getLoc())) {
      op.replaceAllUsesWith(power);
      op.erase();
    }
  }
}

} // namespace

void simplifyArithmetic(ModuleOp module) {
  divideByReals(module);
  divideComplexNumbers(module);
  multiplyByReals(module);
  simplifyPowers(module);
}

} // namespace cufc
