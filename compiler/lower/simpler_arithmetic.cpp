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
// where the zeros have the signs of b and of a, and with one that is imaginary,
//
//   (0, c) * (a, b)   ->   (0 - c*b, c*a + 0)
//
// where they have those of a and of b.
//
// Sums with products of complex numbers are marked in device code (codegen/gpu/complex_sums.cpp).
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

// The imaginary part of a number without a real one; null if it is another one.
Value imaginaryNumber(Value number) {
  auto imaginary = number.getDefiningOp<fir::InsertValueOp>();
  if (!imaginary || !isPart(imaginary, 1))
    return {};
  auto real = imaginary.getAdt().getDefiningOp<fir::InsertValueOp>();
  return real && isPart(real, 0) && matchPattern(real.getVal(), m_PosZeroFloat())
             ? imaginary.getVal()
             : Value();
}

// With a factor that is real, or imaginary.
class Product {
public:
  Product(fir::MulcOp op, Value factor, Value other, bool isImaginary)
      : op(op), factor(factor), other(other), isImaginary(isImaginary), builder(op),
        loc(op.getLoc()) {}

  void replace() {
    Type part = factor.getType();
    Value a = complex::ReOp::create(builder, loc, part, other),
          b = complex::ImOp::create(builder, loc, part, other);
    Value real = product(a), imaginary = product(b);
    if (isImaginary) {
      std::swap(real, imaginary);
      real = withFlags(arith::SubFOp::create(builder, loc, zeroLike(a), real));
      imaginary = withFlags(arith::AddFOp::create(builder, loc, imaginary, zeroLike(b)));
    } else if (!arith::bitEnumContainsAny(op.getFastmath(), arith::FastMathFlags::nsz)) {
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
  const bool isImaginary;
  OpBuilder builder;
  Location loc;
};

void simplifyProducts(ModuleOp module) {
  llvm::SmallVector<fir::MulcOp> products;
  module.walk([&](fir::MulcOp op) { products.push_back(op); });
  for (fir::MulcOp op : products)
    if (Value left = realNumber(op.getLhs()))
      Product(op, left, op.getRhs(), /*isImaginary=*/false).replace();
    else if (Value right = realNumber(op.getRhs()))
      Product(op, right, op.getLhs(), /*isImaginary=*/false).replace();
    else if (Value turn = imaginaryNumber(op.getLhs()))
      Product(op, turn, op.getRhs(), /*isImaginary=*/true).replace();
    else if (Value turned = imaginaryNumber(op.getRhs()))
      Product(op, turned, op.getLhs(), /*isImaginary=*/true).replace();
}

// A sum of complex numbers, some of which are products. All operations get a mark.
class SumOfProducts {
public:
  SumOfProducts(Operation *op, bool isSubtraction)
      : op(op), isSubtraction(isSubtraction), builder(op), loc(op->getLoc()) {}

  bool hasProduct() const { return productOf(op->getOperand(0)) || productOf(op->getOperand(1)); }

  void replace(arith::FastMathFlags flags) {
    marked = flags | arith::FastMathFlags::reassoc;
    std::pair<Value, Value> left = partsOf(op->getOperand(0)), right = partsOf(op->getOperand(1));
    auto combine = [&](Value a, Value b) {
      return isSubtraction ? make<arith::SubFOp>(a, b) : make<arith::AddFOp>(a, b);
    };
    Value real = combine(left.first, right.first), imaginary = combine(left.second, right.second);
    op->getResult(0).replaceAllUsesWith(
        complex::CreateOp::create(builder, loc, op->getResult(0).getType(), real, imaginary));
    op->erase();
    for (fir::MulcOp product : products)
      product.erase();
  }

private:
  static fir::MulcOp productOf(Value value) {
    auto product = value.getDefiningOp<fir::MulcOp>();
    return product && product->hasOneUse() ? product : fir::MulcOp();
  }

  std::pair<Value, Value> partsOf(Value value) {
    fir::MulcOp product = productOf(value);
    if (!product)
      return split(value);
    products.push_back(product);
    auto [a, b] = split(product.getLhs());
    auto [c, d] = split(product.getRhs());
    return {make<arith::SubFOp>(make<arith::MulFOp>(a, c), make<arith::MulFOp>(b, d)),
            make<arith::AddFOp>(make<arith::MulFOp>(a, d), make<arith::MulFOp>(b, c))};
  }

  std::pair<Value, Value> split(Value value) {
    Type part = cast<ComplexType>(value.getType()).getElementType();
    return {complex::ReOp::create(builder, loc, part, value),
            complex::ImOp::create(builder, loc, part, value)};
  }

  template <typename Sum>
  Value make(Value a, Value b) {
    auto result = Sum::create(builder, loc, a, b);
    result.setFastmath(marked);
    return result;
  }

  Operation *op;
  const bool isSubtraction;
  OpBuilder builder;
  Location loc;
  arith::FastMathFlags marked = arith::FastMathFlags::none;
  llvm::SmallVector<fir::MulcOp> products;
};

template <typename Sum>
void markSums(ModuleOp module) {
  llvm::SmallVector<Sum> sums;
  module.walk([&](Sum op) { sums.push_back(op); });
  for (Sum op : sums)
    if (SumOfProducts sum(op, std::is_same_v<Sum, fir::SubcOp>); sum.hasProduct())
      sum.replace(op.getFastmath());
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

void simplifyArithmetic(ModuleOp module, bool isDevice) {
  divideByReals(module);
  if (isDevice)
    callComplexQuotients(module);
  divideComplexNumbers(module);
  simplifyProducts(module);
  if (isDevice) {
    markSums<fir::AddcOp>(module);
    markSums<fir::SubcOp>(module);
  }
  simplifyPowers(module);
}

} // namespace cufc
