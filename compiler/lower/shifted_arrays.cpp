// CSHIFT as flang's SimplifyHLFIRIntrinsics computes it, from -O1 on.
//
//   hlfir.cshift %y        becomes        hlfir.cshift (hlfir.designate %y (lower:upper:1))
//
// It counts the elements from 1 whatever the bounds, and reads others than those of the array. A
// section's bounds begin at 1. This can go when flang gives the right result for
// `real :: y(0:5); print *, cshift(y, 2)`.
//
// A negative shift it makes positive by an addition that is said not to overflow as one of unsigned
// numbers, which it does; such a shift becomes a positive one here. This can go when flang gives
// the right result for `real, allocatable :: y(:)` and `cshift(y(:), -1)`.
#include "flang/Optimizer/Builder/FIRBuilder.h"
#include "flang/Optimizer/Builder/HLFIRTools.h"
#include "flang/Optimizer/HLFIR/HLFIROps.h"
#include "lower/mlir_state.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace cufc {
namespace {

using namespace mlir;

void countFromOne(fir::FirOpBuilder &builder, hlfir::CShiftOp shift) {
  hlfir::Entity array{shift.getArray()};
  if (!array.isVariable())
    return;
  Location loc = shift.getLoc();
  array = hlfir::derefPointersAndAllocatables(loc, builder, array);
  if (!array.mayHaveNonDefaultLowerBounds() || array.isPolymorphic())
    return;
  Value one = builder.createIntegerConstant(loc, builder.getIndexType(), 1);
  hlfir::DesignateOp::Subscripts whole;
  for (auto [lower, upper] : hlfir::genBounds(loc, builder, array))
    whole.emplace_back(hlfir::DesignateOp::Triplet{lower, upper, one});
  llvm::SmallVector<Value> lengths;
  hlfir::genLengthParameters(loc, builder, array, lengths);
  Type type = fir::BoxType::get(array.getElementOrSequenceType());
  Value section =
      hlfir::DesignateOp::create(builder, loc, type, array, "", Value{}, whole, ValueRange{},
                                 std::nullopt, hlfir::genShape(loc, builder, array), lengths);
  shift.getArrayMutable().assign(section);
}

// The extent of the dimension that is shifted; none if it is not known which that is.
Value shiftedExtent(fir::FirOpBuilder &builder, hlfir::CShiftOp shift) {
  hlfir::Entity array =
      hlfir::derefPointersAndAllocatables(shift.getLoc(), builder, hlfir::Entity{shift.getArray()});
  std::optional<int64_t> dimension = shift.getDim() ? fir::getIntIfConstant(shift.getDim()) : 1;
  if (!dimension || *dimension < 1 || *dimension > array.getRank())
    return {};
  Value shape = hlfir::genShape(shift.getLoc(), builder, array);
  return hlfir::getIndexExtents(shift.getLoc(), builder, shape)[*dimension - 1];
}

void shiftForwards(fir::FirOpBuilder &builder, hlfir::CShiftOp shift) {
  Location loc = shift.getLoc();
  hlfir::Entity number{shift.getShift()};
  if (number.isArray())
    return; // which it computes in another way
  if (auto known = fir::getIntIfConstant(number); known && *known >= 0)
    return;
  Value extent = shiftedExtent(builder, shift);
  if (!extent)
    return;
  Type type = builder.getI64Type();
  Value zero = builder.createIntegerConstant(loc, type, 0);
  Value one = builder.createIntegerConstant(loc, type, 1);
  Value length = builder.createConvert(loc, type, extent);
  length = arith::MaxSIOp::create(builder, loc, length, one);
  Value value =
      builder.createConvert(loc, type, hlfir::loadTrivialScalar(loc, builder, number).getBase());
  Value rest = arith::RemSIOp::create(builder, loc, value, length);
  Value isNegative = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, rest, zero);
  Value forwards = arith::AddIOp::create(builder, loc, rest, length);
  shift.getShiftMutable().assign(
      arith::SelectOp::create(builder, loc, isNegative, forwards, rest).getResult());
}

} // namespace

void repairShifts(ModuleOp module) {
  llvm::SmallVector<hlfir::CShiftOp> shifts;
  module.walk([&](hlfir::CShiftOp shift) { shifts.push_back(shift); });
  for (hlfir::CShiftOp shift : shifts) {
    fir::FirOpBuilder builder(shift, fir::getKindMapping(module));
    countFromOne(builder, shift);
    shiftForwards(builder, shift);
  }
}

} // namespace cufc
