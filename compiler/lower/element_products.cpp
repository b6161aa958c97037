// MATMUL of device code where no extent of an operand or the result is a number:
//
//   hlfir.matmul %a %b   ->   hlfir.elemental (i, j) { sum over k of a(i, k)*b(k, j) }
//
// flang computes the result column by column in memory, which it takes from the device's heap for
// want of its size, and copies it. An element is a sum in a register, and is stored where it
// belongs if nothing overlaps. Operands that are expressions are computed first, as otherwise each
// of their elements would be for each that is made of it, but transposed and conjugated matrices
// and the like are read in place.
#include "flang/Optimizer/Builder/FIRBuilder.h"
#include "flang/Optimizer/Builder/HLFIRTools.h"
#include "flang/Optimizer/Dialect/FIROps.h"
#include "flang/Optimizer/HLFIR/HLFIROps.h"
#include "lower/mlir_state.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace cufc {
namespace {

using namespace mlir;

class ElementProduct {
public:
  explicit ElementProduct(hlfir::MatmulOp op)
      : op(op), loc(op.getLoc()),
        builder(op.getOperation(), fir::getKindMapping(op->getParentOfType<ModuleOp>())),
        a(op.getLhs()), b(op.getRhs()) {}

  void run() {
    if (!applies())
      return;
    builder.setInsertionPoint(op);
    a = held(a);
    b = held(b);
    llvm::SmallVector<Value, 2> extents;
    if (a.getRank() == 2)
      extents.push_back(hlfir::genExtent(loc, builder, a, 0));
    if (b.getRank() == 2)
      extents.push_back(hlfir::genExtent(loc, builder, b, 1));
    Value terms = hlfir::genExtent(loc, builder, a, static_cast<unsigned>(a.getRank()) - 1);
    Value shape = fir::ShapeOp::create(builder, loc, extents);
    auto body = [&](Location, fir::FirOpBuilder &, ValueRange place) {
      return hlfir::Entity{sumAt(place, terms)};
    };
    hlfir::ElementalOp product = hlfir::genElementalOp(
        loc, builder, element, shape, /*typeParams=*/{}, body, /*isUnordered=*/true);
    op.replaceAllUsesWith(product.getResult());
    op.erase();
  }

private:
  bool applies() {
    element = a.getFortranElementType();
    for (Operation *user : op->getUsers())
      if (auto destroy = dyn_cast<hlfir::DestroyOp>(user);
          destroy && user->getBlock() == op->getBlock())
        end = destroy;
    return end && element == b.getFortranElementType() &&
           (isa<FloatType, ComplexType>(element) || element.isInteger()) && hasUnknownExtent();
  }

  bool hasUnknownExtent() {
    auto isUnknown = [](hlfir::Entity entity) {
      return cast<fir::SequenceType>(entity.getElementOrSequenceType()).hasDynamicExtents();
    };
    auto result = cast<hlfir::ExprType>(op.getType());
    return isUnknown(a) || isUnknown(b) ||
           llvm::is_contained(result.getShape(), hlfir::ExprType::getUnknownExtent());
  }

  // What is about as fast as to load an element.
  static bool isQuick(hlfir::Entity array) {
    if (array.isVariable())
      return true;
    Operation *made = array.getDefiningOp();
    if (auto transpose = dyn_cast_or_null<hlfir::TransposeOp>(made))
      return isQuick(hlfir::Entity{transpose.getArray()});
    auto elemental = dyn_cast_or_null<hlfir::ElementalOp>(made);
    return elemental && llvm::all_of(elemental.getRegion().getOps(), [](Operation &step) {
             if (auto apply = dyn_cast<hlfir::ApplyOp>(step))
               return isQuick(hlfir::Entity{apply.getExpr()});
             return step.getNumRegions() == 0 && !isa<CallOpInterface>(step) &&
                    !isa<arith::DivFOp, complex::DivOp>(step);
           });
  }

  // Whether it is there for as long as the product.
  bool lasts(hlfir::Entity operand) {
    return llvm::all_of(operand.getUsers(), [&](Operation *user) {
      return user == op || (isa<hlfir::DestroyOp>(user) && user->getBlock() == end->getBlock() &&
                            end->isBeforeInBlock(user));
    });
  }

  // As a variable until nobody needs the product.
  hlfir::Entity held(hlfir::Entity operand) {
    if (operand.isVariable())
      return hlfir::derefPointersAndAllocatables(loc, builder, operand);
    if (isQuick(operand) && lasts(operand))
      return operand;
    Value shape = hlfir::genShape(loc, builder, operand);
    llvm::SmallVector<Value> extents = hlfir::getIndexExtents(loc, builder, shape);
    Type type = fir::SequenceType::get(
        fir::SequenceType::Shape(extents.size(), fir::SequenceType::getUnknownExtent()), element);
    Value memory = builder.createHeapTemporary(loc, type, ".factor", extents);
    auto variable = hlfir::DeclareOp::create(builder, loc, memory, ".factor",
                                             fir::ShapeOp::create(builder, loc, extents));
    hlfir::AssignOp::create(builder, loc, operand, variable.getBase(), /*realloc=*/false,
                            /*keep_lhs_length_if_realloc=*/false, /*temporary_lhs=*/true);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointAfter(end);
    fir::FreeMemOp::create(builder, loc, memory);
    return hlfir::Entity{variable.getBase()};
  }

  Value sumAt(ValueRange place, Value terms) {
    Value one = builder.createIntegerConstant(loc, builder.getIndexType(), 1);
    Value zero = fir::factory::createZeroValue(builder, loc, element);
    auto loop = fir::DoLoopOp::create(builder, loc, one, terms, one, /*unordered=*/false,
                                      /*finalCountValue=*/false, ValueRange{zero});
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    Value k = loop.getInductionVar();
    auto load = [&](hlfir::Entity matrix, ValueRange subscripts) {
      return hlfir::loadElementAt(loc, builder, matrix, subscripts);
    };
    Value left = a.getRank() == 2 ? load(a, {place.front(), k}) : load(a, {k});
    Value right = b.getRank() == 2 ? load(b, {k, place.back()}) : load(b, {k});
    Value sum = added(loop.getRegionIterArgs().front(), multiplied(left, right));
    fir::ResultOp::create(builder, loc, sum);
    return loop.getResult(0);
  }

  template <typename Operation>
  Value rounded(Value x, Value y) {
    auto result = Operation::create(builder, loc, x, y);
    result.setFastmath(op.getFastmath());
    return result;
  }

  Value multiplied(Value x, Value y) {
    if (isa<ComplexType>(element))
      return rounded<fir::MulcOp>(x, y);
    if (isa<FloatType>(element))
      return rounded<arith::MulFOp>(x, y);
    return arith::MulIOp::create(builder, loc, x, y);
  }

  Value added(Value x, Value y) {
    if (isa<ComplexType>(element))
      return rounded<fir::AddcOp>(x, y);
    if (isa<FloatType>(element))
      return rounded<arith::AddFOp>(x, y);
    return arith::AddIOp::create(builder, loc, x, y);
  }

  hlfir::MatmulOp op;
  Location loc;
  fir::FirOpBuilder builder;
  hlfir::Entity a, b;
  Type element;
  hlfir::DestroyOp end; // of the product
};

struct ElementProducts : PassWrapper<ElementProducts, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ElementProducts)
  llvm::StringRef getArgument() const override { return "cufc-element-products"; }
  void runOnOperation() override {
    llvm::SmallVector<hlfir::MatmulOp> products;
    getOperation().walk([&](hlfir::MatmulOp op) { products.push_back(op); });
    for (hlfir::MatmulOp op : products)
      ElementProduct(op).run();
  }
};

} // namespace

std::unique_ptr<Pass> createElementProducts() { return std::make_unique<ElementProducts>(); }

} // namespace cufc
