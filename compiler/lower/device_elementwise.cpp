// Array results of device data that are computed element by element; see device_computation.h.
#include "flang/Optimizer/HLFIR/HLFIROps.h"
#include "lower/device_computation.h"
#include "lower/temporaries.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace cufc {
namespace {

using namespace mlir;
using llvm::SmallVector;

class Elementwise : Computation {
public:
  explicit Elementwise(Operation *op) : Computation(op) {}

  bool run() {
    if (auto matmul = dyn_cast<hlfir::MatmulOp>(op))
      return multiply(dereferenced(matmul.getLhs()), dereferenced(matmul.getRhs()));
    if (auto transpose = dyn_cast<hlfir::TransposeOp>(op)) {
      Value array = dereferenced(transpose.getArray());
      SmallVector<Value> sizes = extents(array);
      return compute({sizes[1], sizes[0]},
                     [&](ValueRange at) { return element(array, {at[1], at[0]}); });
    }
    if (auto reshape = dyn_cast<hlfir::ReshapeOp>(op))
      return rearrange(reshape);
    auto elemental = cast<hlfir::ElementalOp>(op);
    return compute(hlfir::getIndexExtents(loc, builder, elemental.getShape()), [&](ValueRange at) {
      hlfir::YieldElementOp yield = hlfir::inlineElementalOp(loc, builder, elemental, at);
      Value value = yield.getElementValue();
      yield.erase();
      return value;
    });
  }

private:
  bool compute(SmallVector<Value> sizes, llvm::function_ref<Value(ValueRange)> value) {
    Type type = hlfir::getFortranElementType(op->getResult(0).getType());
    if (!fir::isa_trivial(type))
      return false;
    DeviceResult result(builder, op, sizes);
    overElements(sizes, {}, std::nullopt, [&](ValueRange at) {
      result.store(at, builder.createConvert(loc, type, value(at)));
    });
    result.replace();
    return true;
  }

  bool multiply(Value left, Value right) {
    Type type = hlfir::getFortranElementType(op->getResult(0).getType());
    bool logical = isa<fir::LogicalType>(type);
    auto add = logical ? ReductionOperation::Or : ReductionOperation::Add;
    auto times = logical ? ReductionOperation::And : ReductionOperation::Multiply;
    SmallVector<Value> leftSizes = extents(left), rightSizes = extents(right), sizes;
    bool leftMatrix = leftSizes.size() == 2, rightMatrix = rightSizes.size() == 2;
    if (leftMatrix)
      sizes.push_back(leftSizes[0]);
    if (rightMatrix)
      sizes.push_back(rightSizes[1]);
    return compute(sizes, [&](ValueRange at) {
      Value one = constant(builder.getIndexType(), 1);
      Value start = neutralValue(builder, loc, add, type);
      auto loop = fir::DoLoopOp::create(builder, loc, one, rightSizes[0], one, false, false,
                                        ValueRange{start});
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(loop.getBody());
      Value k = loop.getInductionVar();
      Value a = leftMatrix ? element(left, {at[0], k}) : element(left, {k});
      Value b = rightMatrix ? element(right, {k, at.back()}) : element(right, {k});
      Value term = combine(builder, loc, times, builder.createConvert(loc, type, a),
                           builder.createConvert(loc, type, b));
      fir::ResultOp::create(builder, loc,
                            combine(builder, loc, add, loop.getRegionIterArgs()[0], term));
      return loop.getResult(0);
    });
  }

  // Elements in array element order of both shapes (F2018, 16.9.163).
  bool rearrange(hlfir::ReshapeOp reshape) {
    if (reshape.getPad() || reshape.getOrder())
      return false;
    Value array = dereferenced(reshape.getArray());
    SmallVector<Value> from = extents(array), to;
    hlfir::Entity shape{reshape.getShape()};
    auto rank = cast<hlfir::ExprType>(op->getResult(0).getType()).getRank();
    for (unsigned i = 0; i < rank; ++i)
      to.push_back(builder.createConvert(
          loc, builder.getIndexType(),
          hlfir::loadElementAt(loc, builder, shape,
                               ValueRange{constant(builder.getIndexType(), i + 1)})));
    return compute(to, [&](ValueRange at) {
      Value one = constant(builder.getIndexType(), 1);
      Value number = constant(builder.getIndexType(), 0);
      for (size_t i = to.size(); i-- > 0;)
        number =
            arith::AddIOp::create(builder, loc, arith::MulIOp::create(builder, loc, number, to[i]),
                                  arith::SubIOp::create(builder, loc, at[i], one));
      SmallVector<Value> source;
      for (Value size : from) {
        source.push_back(arith::AddIOp::create(
            builder, loc, arith::RemSIOp::create(builder, loc, number, size), one));
        number = arith::DivSIOp::create(builder, loc, number, size);
      }
      return element(array, source);
    });
  }
};

} // namespace

bool computeElementwise(Operation *op) {
  if (auto matmul = dyn_cast<hlfir::MatmulOp>(op))
    return computesOnDevice({matmul.getLhs(), matmul.getRhs()}) && Elementwise(op).run();
  if (auto transpose = dyn_cast<hlfir::TransposeOp>(op))
    return computesOnDevice(transpose.getArray()) && Elementwise(op).run();
  if (auto reshape = dyn_cast<hlfir::ReshapeOp>(op))
    return computesOnDevice(reshape.getArray()) && Elementwise(op).run();
  if (isa<hlfir::ElementalOp>(op))
    return onlyTransferredToDevice(op) && computesOnDevice(op->getResult(0)) &&
           Elementwise(op).run();
  return false;
}

} // namespace cufc
