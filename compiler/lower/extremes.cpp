// MAXVAL and MINVAL of real arrays, and MAXLOC and MINLOC of vectors, become calls of the runtime
// library (runtime/core/extremes.cpp), which has vectors for them:
//
//   hlfir.maxval %a            ->   cufrt_maxval_real8(descriptor of %a)
//   hlfir.maxloc %a dim %one   ->   cufrt_maxloc_real8(descriptor of %a)
//
// flang's loops have a chain from each element to the next. Left to flang are those with masks,
// those of many dimensions that have an array as the result, and short arrays of known length.
#include "lower/extremes.h"
#include "flang/Optimizer/Builder/FIRBuilder.h"
#include "flang/Optimizer/Builder/HLFIRTools.h"
#include "flang/Optimizer/Dialect/FIROps.h"
#include "flang/Optimizer/HLFIR/HLFIROps.h"
#include "lower/data_location.h"
#include "lower/runtime_calls.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"
#include "mlir/Pass/Pass.h"

namespace cufc {
namespace {

using namespace mlir;

// Elements up to which a loop costs less than a call.
constexpr int64_t fewElements = 32;

// The end of the names of the functions for a type; empty if there are none.
llvm::StringRef suffixOf(Type element) {
  if (element.isF32())
    return "real4";
  if (element.isF64())
    return "real8";
  if (element.isInteger(32))
    return "integer4";
  return element.isInteger(64) ? "integer8" : "";
}

bool isKnownShort(hlfir::Entity array) {
  auto type = dyn_cast<fir::SequenceType>(array.getElementOrSequenceType());
  if (!type || type.hasDynamicExtents())
    return false;
  int64_t elements = 1;
  for (int64_t extent : type.getShape())
    elements *= extent;
  return elements <= fewElements;
}

bool isFalse(Value back) { return !back || fir::getIntIfConstant(back) == 0; }

class Extremum {
public:
  explicit Extremum(Operation *op)
      : op(op), loc(op->getLoc()),
        builder(op, fir::getKindMapping(op->getParentOfType<ModuleOp>())) {}

  // The greatest or least value. Those of integers are vectors without help.
  template <typename Op>
  void replaceValue(Op value, llvm::StringRef name) {
    hlfir::Entity array{value.getArray()};
    Type element = array.getFortranElementType();
    if (value.getMask() || value.getType() != element || !isa<FloatType>(element) ||
        !array.isVariable() || !applies(array))
      return;
    replace(array, name, element);
  }

  // Its place in a vector.
  template <typename Op>
  void replacePlace(Op place, llvm::StringRef name) {
    hlfir::Entity array{place.getArray()};
    if (place.getMask() || !isFalse(place.getBack()) || !isa<IntegerType>(place.getType()) ||
        array.getRank() != 1 || !applies(array))
      return;
    replace(array, name, builder.getI64Type());
  }

private:
  bool applies(hlfir::Entity array) {
    return array.isArray() && !array.isMutableBox() && !array.isPolymorphic() &&
           !suffixOf(array.getFortranElementType()).empty() && !isKnownShort(array) &&
           !isOnDevice(array) && !op->getParentOfType<omp::WorkshareOp>();
  }

  void replace(hlfir::Entity array, llvm::StringRef name, Type result) {
    builder.setInsertionPoint(op);
    hlfir::AssociateOp memory;
    if (!array.isVariable()) {
      memory = hlfir::genAssociateExpr(loc, builder, array, array.getType(), ".values");
      array = hlfir::Entity{memory};
    }
    Value box = hlfir::genVariableBox(loc, builder, array).getBase();
    std::string function = ("cufrt_" + name + "_" + suffixOf(array.getFortranElementType())).str();
    Value found =
        callRuntime(builder, loc, function, {descriptorArgument(builder, loc, box)}, {result});
    if (memory)
      hlfir::EndAssociateOp::create(builder, loc, memory);
    op->replaceAllUsesWith(
        ValueRange{builder.createConvert(loc, op->getResult(0).getType(), found)});
    op->erase();
  }

  Operation *op;
  Location loc;
  fir::FirOpBuilder builder;
};

struct Extremes : PassWrapper<Extremes, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(Extremes)
  llvm::StringRef getArgument() const override { return "cufc-extremes"; }
  void runOnOperation() override {
    llvm::SmallVector<Operation *> operations;
    getOperation().walk([&](Operation *op) {
      if (isa<hlfir::MaxvalOp, hlfir::MinvalOp, hlfir::MaxlocOp, hlfir::MinlocOp>(op))
        operations.push_back(op);
    });
    for (Operation *op : operations)
      replace(op);
  }

  static void replace(Operation *op) {
    Extremum extremum(op);
    if (auto greatest = dyn_cast<hlfir::MaxvalOp>(op))
      extremum.replaceValue(greatest, "maxval");
    else if (auto least = dyn_cast<hlfir::MinvalOp>(op))
      extremum.replaceValue(least, "minval");
    else if (auto first = dyn_cast<hlfir::MaxlocOp>(op))
      extremum.replacePlace(first, "maxloc");
    else
      extremum.replacePlace(cast<hlfir::MinlocOp>(op), "minloc");
  }
};

} // namespace

std::unique_ptr<Pass> createExtremes() { return std::make_unique<Extremes>(); }

} // namespace cufc
