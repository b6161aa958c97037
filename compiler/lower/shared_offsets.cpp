// Places of dynamic shared arrays in a kernel's dynamic shared memory.
//
// Assumed-size arrays all begin at its start, as CUDA Fortran defines. Automatic arrays (with
// bounds that the kernel computes) are placed one after the other in the order of their
// declarations, each aligned to 16 bytes.
#include "flang/Optimizer/Builder/FIRBuilder.h"
#include "flang/Optimizer/Dialect/CUF/CUFOps.h"
#include "flang/Optimizer/Dialect/FIROps.h"
#include "flang/Optimizer/Dialect/FIRType.h"
#include "flang/Optimizer/Support/DataLayout.h"
#include "frontend/workarounds/assumed_sizes.h"
#include "lower/mlir_state.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace cufc {
namespace {

using namespace mlir;

struct PlaceSharedArrays : PassWrapper<PlaceSharedArrays, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(PlaceSharedArrays)
  llvm::StringRef getArgument() const override { return "cufc-place-shared-arrays"; }

  void runOnOperation() override {
    Value end; // first free byte, i32; null while it is zero
    getOperation().walk([&](cuf::SharedMemoryOp op) {
      auto array = dyn_cast<fir::SequenceType>(op.getInType());
      if (op.getShape().empty() || !array || array.getShape().back() == assumedExtent ||
          op.getShape().back().getDefiningOp<fir::AssumedSizeExtentOp>())
        return;
      OpBuilder builder(op);
      if (end)
        op.getOffsetMutable().assign(end);
      builder.setInsertionPointAfter(op);
      Value next = paddedBytes(builder, op);
      end = end ? arith::AddIOp::create(builder, op.getLoc(), end, next).getResult() : next;
    });
  }

  // Size of the array in bytes, rounded up to 16.
  static Value paddedBytes(OpBuilder &builder, cuf::SharedMemoryOp op) {
    auto array = cast<fir::SequenceType>(op.getInType());
    fir::KindMapping kinds(builder.getContext());
    auto module = op->getParentOfType<ModuleOp>();
    std::optional<DataLayout> layout = fir::support::getOrSetMLIRDataLayout(module, true);
    auto element =
        fir::getTypeSizeAndAlignmentOrCrash(op.getLoc(), array.getEleTy(), *layout, kinds);
    Location loc = op.getLoc();
    auto constant = [&](int64_t value) -> Value {
      return arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(value));
    };
    int64_t known = element.first;
    for (int64_t extent : array.getShape())
      if (extent > 0)
        known *= extent;
    Value bytes = constant(known);
    for (Value extent : op.getShape()) {
      Value narrow = fir::ConvertOp::create(builder, loc, builder.getI32Type(), extent);
      bytes = arith::MulIOp::create(builder, loc, bytes, narrow);
    }
    Value padded = arith::AddIOp::create(builder, loc, bytes, constant(15));
    return arith::AndIOp::create(builder, loc, padded, constant(-16));
  }
};

} // namespace

std::unique_ptr<Pass> createPlaceSharedArrays() { return std::make_unique<PlaceSharedArrays>(); }

} // namespace cufc
