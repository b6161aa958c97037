// See stream_arguments.h.
#include "lower/stream_arguments.h"
#include "flang/Optimizer/HLFIR/HLFIROps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/SetVector.h"

namespace cufc {

using namespace mlir;

namespace {

bool isStreamCall(Operation *op) {
  auto call = dyn_cast<fir::CallOp>(op);
  return call && call.getCallee() &&
         call.getCallee()->getLeafReference().getValue().starts_with("cufrt_on_stream_");
}

// Operations whose operands are not part of the mask: a reduction in it has a stream of its own.
bool isOpaque(Operation *op) {
  return isa<fir::CallOp, hlfir::SumOp, hlfir::ProductOp, hlfir::MaxvalOp, hlfir::MinvalOp,
             hlfir::AllOp, hlfir::AnyOp, hlfir::CountOp, hlfir::MaxlocOp, hlfir::MinlocOp,
             hlfir::DeclareOp, hlfir::DesignateOp>(op);
}

} // namespace

fir::CallOp streamCallIn(Value mask) {
  llvm::SetVector<Operation *> seen;
  auto add = [&](Value value) {
    if (Operation *op = value ? value.getDefiningOp() : nullptr)
      seen.insert(op);
  };
  add(mask);
  for (unsigned i = 0; i < seen.size(); ++i) {
    Operation *op = seen[i];
    if (isStreamCall(op))
      return cast<fir::CallOp>(op);
    if (isOpaque(op))
      continue;
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        add(operand);
    });
  }
  return {};
}

bool isOnlyStreamCall(Value mask) {
  Operation *op = mask ? mask.getDefiningOp() : nullptr;
  while (op && !isStreamCall(op))
    op = isa<fir::ConvertOp, hlfir::AssociateOp, fir::EmboxOp>(op)
             ? op->getOperand(0).getDefiningOp()
             : nullptr;
  return op;
}

Value streamOf(fir::FirOpBuilder &builder, fir::CallOp call) {
  Location loc = call.getLoc();
  Value handle = builder.createConvert(loc, builder.getI64Type(), call.getArgs().front());
  Value place = builder.createTemporary(loc, handle.getType());
  fir::StoreOp::create(builder, loc, handle, place);
  return place;
}

void removeStreamCall(fir::CallOp call) {
  OpBuilder builder(call);
  Value bit = arith::ConstantOp::create(builder, call.getLoc(), builder.getBoolAttr(true));
  Value result = call.getResult(0);
  result.replaceAllUsesWith(
      fir::ConvertOp::create(builder, call.getLoc(), result.getType(), bit).getResult());
  call.erase();
}

} // namespace cufc
