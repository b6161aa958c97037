// CSHIFT of an array whose bounds do not begin at 1.
//
//   hlfir.cshift %y        becomes        hlfir.cshift (hlfir.designate %y (lower:upper:1))
//
// flang's SimplifyHLFIRIntrinsics, from -O1 on, counts the elements from 1 whatever the bounds, and
// reads others than those of the array. A section's bounds begin at 1. This can go when flang gives
// the right result for `real :: y(0:5); print *, cshift(y, 2)`.
#include "flang/Optimizer/Builder/FIRBuilder.h"
#include "flang/Optimizer/Builder/HLFIRTools.h"
#include "flang/Optimizer/HLFIR/HLFIROps.h"
#include "lower/mlir_state.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace cufc {

using namespace mlir;

void countShiftedFromOne(ModuleOp module) {
  llvm::SmallVector<hlfir::CShiftOp> shifts;
  module.walk([&](hlfir::CShiftOp shift) { shifts.push_back(shift); });
  for (hlfir::CShiftOp shift : shifts) {
    hlfir::Entity array{shift.getArray()};
    if (!array.isVariable())
      continue;
    fir::FirOpBuilder builder(shift, fir::getKindMapping(module));
    Location loc = shift.getLoc();
    array = hlfir::derefPointersAndAllocatables(loc, builder, array);
    if (!array.mayHaveNonDefaultLowerBounds() || array.isPolymorphic())
      continue;
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
}

} // namespace cufc
