// Bounds of sections that frontend/section_bounds.h has marked become those of the device array.
//
//   %x = hlfir.no_reassoc (%any + mark)          %x = the array's lower or upper bound
//   hlfir.designate %copy (%x:%3:%c1)            hlfir.designate %copy (%x:%3:%c1)
//
// The section is one of flang's copy of the array, whose bounds host_reads.cpp corrects, or of the
// array itself.
#include "frontend/section_bounds.h"
#include "flang/Optimizer/Builder/FIRBuilder.h"
#include "flang/Optimizer/Builder/HLFIRTools.h"
#include "flang/Optimizer/Dialect/CUF/CUFOps.h"
#include "flang/Optimizer/HLFIR/HLFIROps.h"
#include "lower/mlir_state.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace cufc {
namespace {

using namespace mlir;

struct Mark {
  hlfir::NoReassocOp place;
  int64_t value = 0;
};

Mark markOf(Value index) {
  while (auto convert = index.getDefiningOp<fir::ConvertOp>())
    index = convert.getValue();
  auto place = index.getDefiningOp<hlfir::NoReassocOp>();
  auto sum = place ? place.getVal().getDefiningOp<arith::AddIOp>() : arith::AddIOp();
  if (!sum)
    return {};
  for (Value operand : sum->getOperands())
    if (auto value = fir::getIntIfConstant(operand);
        value && (*value == lowerBoundMark || *value == upperBoundMark))
      return {place, *value};
  return {};
}

// The array that flang's copy is one of, or the array itself.
Value originalOf(Value array) {
  auto again = array.getDefiningOp<hlfir::DeclareOp>();
  auto temporary = again ? again.getMemref().getDefiningOp<hlfir::DeclareOp>() : hlfir::DeclareOp();
  if (!temporary)
    return array;
  for (Value result : temporary->getResults())
    for (Operation *user : result.getUsers())
      if (auto transfer = dyn_cast<cuf::DataTransferOp>(user);
          transfer && transfer.getDst() == result) {
        auto source = transfer.getSrc().getDefiningOp<hlfir::DeclareOp>();
        return source ? source.getBase() : transfer.getSrc();
      }
  return array;
}

void replace(Mark mark, Value array, unsigned dimension) {
  fir::FirOpBuilder builder(mark.place.getOperation(),
                            fir::getKindMapping(mark.place->getParentOfType<ModuleOp>()));
  builder.setInsertionPoint(mark.place);
  Location loc = mark.place.getLoc();
  hlfir::Entity entity =
      hlfir::derefPointersAndAllocatables(loc, builder, hlfir::Entity{originalOf(array)});
  auto [lower, upper] = hlfir::genBounds(loc, builder, entity)[dimension];
  Value bound = mark.value == lowerBoundMark ? lower : upper;
  mark.place.getResult().replaceAllUsesWith(
      builder.createConvert(loc, mark.place.getType(), bound));
  mark.place.erase();
}

void completeSection(hlfir::DesignateOp section) {
  unsigned operand = 0;
  for (auto [dimension, isTriplet] : llvm::enumerate(section.getIsTriplet())) {
    for (unsigned i = 0; isTriplet && i < 2; ++i)
      if (Mark mark = markOf(section.getIndices()[operand + i]); mark.place)
        replace(mark, section.getMemref(), static_cast<unsigned>(dimension));
    operand += isTriplet ? 3 : 1;
  }
}

} // namespace

void completeMarkedSections(ModuleOp module) {
  llvm::SmallVector<hlfir::DesignateOp> sections;
  module.walk([&](hlfir::DesignateOp section) { sections.push_back(section); });
  for (hlfir::DesignateOp section : sections)
    completeSection(section);
}

} // namespace cufc
