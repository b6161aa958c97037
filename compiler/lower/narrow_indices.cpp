// Array addresses in device code by 32-bit arithmetic.
//
// A GPU multiplies 64-bit integers with several instructions, so linear offsets are computed in 32
// bits, by Horner's rule from the last dimension. Much as with nvfortran, an array may then have at
// most 2**31 - 1025 elements in a kernel unless -Mlarge_arrays is given (for the rest see
// codegen/gpu/shared_addresses.cpp); an array whose constant shape is larger is left alone.
#include "flang/Optimizer/Dialect/FIROps.h"
#include "flang/Optimizer/Dialect/FIRType.h"
#include "lower/mlir_state.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace cufc {
namespace {

using namespace mlir;

class Narrower {
public:
  explicit Narrower(fir::ArrayCoorOp op) : op(op), loc(op.getLoc()), builder(op) {}

  void run() {
    if (!applies() || !readShape())
      return;
    Type flat = fir::ReferenceType::get(
        fir::SequenceType::get({fir::SequenceType::getUnknownExtent()}, array.getEleTy()));
    Value base = fir::ConvertOp::create(builder, loc, flat, op.getMemref());
    Value offset = fir::ConvertOp::create(builder, loc, builder.getI64Type(), linearOffset());
    Value address = fir::CoordinateOp::create(builder, loc, op.getType(), base, ValueRange{offset});
    op.replaceAllUsesWith(address);
    op.erase();
  }

private:
  bool applies() {
    Type memory = fir::dyn_cast_ptrEleTy(op.getMemref().getType());
    if (!memory || op.getSlice() || !op.getTypeparams().empty())
      return false;
    array = dyn_cast<fir::SequenceType>(memory);
    if (!array || !isa<FloatType, IntegerType, ComplexType, fir::LogicalType>(array.getEleTy()))
      return false;
    int64_t elements = 1;
    for (int64_t extent : array.getShape())
      if (extent > 0 && __builtin_mul_overflow(elements, extent, &elements))
        return false;
    return elements <= INT32_MAX - 1024;
  }

  bool readShape() {
    if (!op.getShape())
      return readConstantShape();
    if (auto shape = op.getShape().getDefiningOp<fir::ShapeOp>()) {
      for (Value extent : shape.getExtents())
        extents.push_back(narrow(extent));
      return true;
    }
    auto shape = op.getShape().getDefiningOp<fir::ShapeShiftOp>();
    if (!shape)
      return false;
    for (unsigned i = 0; i < shape.getPairs().size(); i += 2) {
      lowerBounds.push_back(narrow(shape.getPairs()[i]));
      extents.push_back(narrow(shape.getPairs()[i + 1]));
    }
    return true;
  }

  bool readConstantShape() {
    for (unsigned i = 0; i < array.getDimension(); ++i) {
      int64_t extent = array.getShape()[i];
      bool last = i + 1 == array.getDimension();
      if (extent == fir::SequenceType::getUnknownExtent() && !last)
        return false;
      extents.push_back(constant(last ? 1 : static_cast<int32_t>(extent)));
    }
    return true;
  }

  // ((i_n - l_n) * e_{n-1} + (i_{n-1} - l_{n-1})) * e_{n-2} + ...
  Value linearOffset() {
    Value offset;
    for (int i = op.getIndices().size() - 1; i >= 0; --i) {
      Value lower = i < static_cast<int>(lowerBounds.size()) ? lowerBounds[i] : constant(1);
      Value index = combine<arith::SubIOp>(narrow(op.getIndices()[i]), lower);
      offset = offset ? combine<arith::AddIOp>(combine<arith::MulIOp>(offset, extents[i]), index)
                      : index;
    }
    return offset;
  }

  template <typename Op>
  Value combine(Value a, Value b) {
    return Op::create(builder, loc, a, b, arith::IntegerOverflowFlags::nsw);
  }
  Value narrow(Value value) {
    return fir::ConvertOp::create(builder, loc, builder.getI32Type(), value);
  }
  Value constant(int32_t value) {
    return arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(value));
  }

  fir::ArrayCoorOp op;
  Location loc;
  OpBuilder builder;
  fir::SequenceType array;
  llvm::SmallVector<Value> extents, lowerBounds;
};

struct NarrowIndices : PassWrapper<NarrowIndices, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(NarrowIndices)
  llvm::StringRef getArgument() const override { return "cufc-narrow-indices"; }
  void runOnOperation() override {
    llvm::SmallVector<fir::ArrayCoorOp> ops;
    getOperation().walk([&](fir::ArrayCoorOp op) { ops.push_back(op); });
    for (fir::ArrayCoorOp op : ops)
      Narrower(op).run();
  }
};

} // namespace

std::unique_ptr<Pass> createNarrowIndices() { return std::make_unique<NarrowIndices>(); }

} // namespace cufc
