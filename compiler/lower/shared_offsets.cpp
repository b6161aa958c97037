// Places of dynamic shared arrays in a kernel's dynamic shared memory.
//
// Assumed-size arrays all begin at its start, as CUDA Fortran defines. Automatic arrays (with
// bounds that the kernel computes) are placed one after the other in the order of their
// declarations, each aligned as its elements are, so that the sum of their bytes is enough for a
// launch if those of larger elements come first.
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
      const auto [bytes, alignment] = sizeOfElement(op);
      if (end) {
        end = aligned(builder, op.getLoc(), end, alignment);
        op.getOffsetMutable().assign(end);
      }
      builder.setInsertionPointAfter(op);
      Value size = bytesOf(builder, op, bytes);
      end = end ? arith::AddIOp::create(builder, op.getLoc(), end, size).getResult() : size;
    });
  }

  // And its alignment, in bytes.
  static std::pair<uint64_t, unsigned short> sizeOfElement(cuf::SharedMemoryOp op) {
    auto array = cast<fir::SequenceType>(op.getInType());
    fir::KindMapping kinds(op.getContext());
    auto module = op->getParentOfType<ModuleOp>();
    std::optional<DataLayout> layout = fir::support::getOrSetMLIRDataLayout(module, true);
    return fir::getTypeSizeAndAlignmentOrCrash(op.getLoc(), array.getEleTy(), *layout, kinds);
  }

  static Value constant(OpBuilder &builder, Location loc, int64_t value) {
    return arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(value));
  }

  static Value aligned(OpBuilder &builder, Location loc, Value offset, int64_t alignment) {
    Value sum = arith::AddIOp::create(builder, loc, offset, constant(builder, loc, alignment - 1));
    return arith::AndIOp::create(builder, loc, sum, constant(builder, loc, -alignment));
  }

  static Value bytesOf(OpBuilder &builder, cuf::SharedMemoryOp op, uint64_t bytesOfElement) {
    Location loc = op.getLoc();
    auto known = static_cast<int64_t>(bytesOfElement);
    for (int64_t extent : cast<fir::SequenceType>(op.getInType()).getShape())
      if (extent > 0)
        known *= extent;
    Value bytes = constant(builder, loc, known);
    for (Value extent : op.getShape()) {
      Value narrow = fir::ConvertOp::create(builder, loc, builder.getI32Type(), extent);
      bytes = arith::MulIOp::create(builder, loc, bytes, narrow);
    }
    return bytes;
  }
};

} // namespace

std::unique_ptr<Pass> createPlaceSharedArrays() { return std::make_unique<PlaceSharedArrays>(); }

} // namespace cufc
