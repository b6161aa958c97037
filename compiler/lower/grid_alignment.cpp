// See grid_alignment.h. The loops of a stencil begin at 2, and so each warp read and wrote parts of
// a line more than it needs: 7 points in three dimensions took 1.05 of the time.
#include "lower/grid_alignment.h"
#include "flang/Optimizer/Dialect/FIROps.h"
#include "flang/Optimizer/HLFIR/HLFIROps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

namespace cufc {
namespace {

using namespace mlir;

constexpr int64_t lanes = 32;

bool isOutside(Value value, cuf::KernelOp directive) {
  return !directive.getRegion().isAncestor(value.getParentRegion());
}

// The first array of several dimensions that the loops write an element of; null if there is none.
Value writtenArray(cuf::KernelOp directive) {
  Value found;
  directive.getRegion().walk([&](hlfir::AssignOp assignment) {
    auto element = assignment.getLhs().getDefiningOp<hlfir::DesignateOp>();
    if (!element || element.getIndices().size() < 2 || element.getComponent())
      return WalkResult::advance();
    found = element.getMemref();
    return WalkResult::interrupt();
  });
  return found;
}

// The lower bound of the array's first dimension, on the host.
Value lowerBound(OpBuilder &host, Location loc, Value array, cuf::KernelOp directive) {
  auto one = [&]() -> Value { return arith::ConstantIndexOp::create(host, loc, 1); };
  if (auto descriptor = array.getDefiningOp<fir::LoadOp>()) {
    if (!isOutside(descriptor.getMemref(), directive))
      return {};
    Value box = fir::LoadOp::create(host, loc, descriptor.getMemref());
    Value zero = arith::ConstantIndexOp::create(host, loc, 0);
    Type type = host.getIndexType();
    return fir::BoxDimsOp::create(host, loc, type, type, type, box, zero).getResult(0);
  }
  auto declare = array.getDefiningOp<hlfir::DeclareOp>();
  if (!declare || !isOutside(array, directive))
    return {};
  Operation *shape = declare.getShape() ? declare.getShape().getDefiningOp() : nullptr;
  if (!declare.getShape() || isa_and_nonnull<fir::ShapeOp>(shape))
    return one();
  if (auto both = dyn_cast_or_null<fir::ShapeShiftOp>(shape))
    return both.getOrigins().front();
  if (auto shift = dyn_cast_or_null<fir::ShiftOp>(shape))
    return shift.getOrigins().front();
  return {};
}

} // namespace

Value threadsBefore(OpBuilder &host, cuf::KernelOp directive, Value trips) {
  Location loc = directive.getLoc();
  Value array = writtenArray(directive);
  llvm::APInt step;
  if (!array || !matchPattern(directive.getStep().back(), m_ConstantInt(&step)) || !step.isOne())
    return {};
  Value bound = lowerBound(host, loc, array, directive);
  if (!bound)
    return {};
  Type type = host.getI64Type();
  auto wide = [&](Value v) { return host.createOrFold<fir::ConvertOp>(loc, type, v); };
  auto number = [&](int64_t n) -> Value {
    return arith::ConstantOp::create(host, loc, host.getI64IntegerAttr(n));
  };
  Value distance =
      host.createOrFold<arith::SubIOp>(loc, wide(directive.getLowerbound().back()), wide(bound));
  Value before = host.createOrFold<arith::AndIOp>(loc, distance, number(lanes - 1));
  if (matchPattern(before, m_Zero()))
    return {};
  auto warps = [&](Value count) -> Value {
    Value more = arith::AddIOp::create(host, loc, count, number(lanes - 1));
    return arith::ShRSIOp::create(host, loc, more, number(llvm::Log2_64(lanes)));
  };
  Value count = wide(trips);
  Value fits = arith::CmpIOp::create(host, loc, arith::CmpIPredicate::eq, warps(count),
                                     warps(arith::AddIOp::create(host, loc, count, before)));
  return fir::ConvertOp::create(
      host, loc, host.getI32Type(),
      arith::SelectOp::create(host, loc, fits, before, number(0)).getResult());
}

} // namespace cufc
