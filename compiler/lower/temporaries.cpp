// See temporaries.h; runtime/core/temporary.cpp allocates.
#include "lower/temporaries.h"
#include "flang/Optimizer/Builder/HLFIRTools.h"
#include "flang/Optimizer/Dialect/CUF/CUFOps.h"
#include "lower/data_location.h"
#include "lower/runtime_calls.h"
#include "lower/type_sizes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace cufc {

using namespace mlir;

namespace {

// The transfer to the device of which `associate` is the source, if it has no other use.
cuf::DataTransferOp transferOf(hlfir::AssociateOp associate) {
  cuf::DataTransferOp found;
  for (Value result : associate->getResults())
    for (Operation *user : result.getUsers()) {
      if (isa<hlfir::EndAssociateOp>(user))
        continue;
      auto transfer = dyn_cast<cuf::DataTransferOp>(user);
      if (!transfer || found || transfer.getSrc() != result || !isOnlyOnDevice(transfer.getDst()))
        return {};
      found = transfer;
    }
  return found;
}

} // namespace

bool onlyTransferredToDevice(Operation *op) {
  bool found = false;
  for (Operation *user : op->getUsers()) {
    if (isa<hlfir::DestroyOp>(user))
      continue;
    auto associate = dyn_cast<hlfir::AssociateOp>(user);
    if (!associate || !transferOf(associate))
      return false;
    found = true;
  }
  return found;
}

DeviceResult::DeviceResult(fir::FirOpBuilder &builder, Operation *op, llvm::ArrayRef<Value> extents)
    : builder(builder), op(op), loc(op->getLoc()), onDevice(onlyTransferredToDevice(op)) {
  auto expr = cast<hlfir::ExprType>(op->getResult(0).getType());
  Type element = expr.getElementType();
  Value bytes = builder.createIntegerConstant(loc, builder.getI64Type(), bytesOf(element));
  for (Value extent : extents)
    bytes = arith::MulIOp::create(builder, loc, bytes,
                                  builder.createConvert(loc, builder.getI64Type(), extent));
  memory = callRuntime(builder, loc, onDevice ? "cufrt_device_temporary" : "cufrt_pinned_temporary",
                       bytes, fir::LLVMPointerType::get(builder.getI8Type()));
  auto type = fir::SequenceType::get(expr.getShape(), element);
  Value address = builder.createConvert(loc, builder.getRefType(type), memory);
  Value shape = fir::ShapeOp::create(builder, loc, extents);
  auto attribute = onDevice ? cuf::DataAttribute::Device : cuf::DataAttribute::Managed;
  declare = hlfir::DeclareOp::create(builder, loc, address, "cufc.temporary", shape);
  declare.setDataAttrAttr(cuf::DataAttributeAttr::get(builder.getContext(), attribute));
}

void DeviceResult::store(ValueRange subscripts, Value value) {
  Value place = hlfir::DesignateOp::create(builder, loc, builder.getRefType(value.getType()),
                                           declare.getBase(), subscripts);
  hlfir::AssignOp::create(builder, loc, value, place);
}

void DeviceResult::replace() {
  if (onDevice)
    replaceOnDevice();
  else
    replaceOnHost();
}

void DeviceResult::replaceOnDevice() {
  for (Operation *user : llvm::make_early_inc_range(op->getUsers())) {
    auto associate = dyn_cast<hlfir::AssociateOp>(user);
    if (!associate)
      continue;
    cuf::DataTransferOp transfer = transferOf(associate);
    transfer.setTransferKind(cuf::DataTransferKind::DeviceDevice);
    for (Value result : associate->getResults())
      for (Operation *end : llvm::make_early_inc_range(result.getUsers()))
        if (isa<hlfir::EndAssociateOp>(end))
          end->erase();
    associate.getBase().replaceAllUsesWith(declare.getBase());
    associate.getFirBase().replaceAllUsesWith(declare.getOriginalBase());
    associate.erase();
    builder.setInsertionPointAfter(transfer);
    release();
  }
}

void DeviceResult::replaceOnHost() {
  builder.setInsertionPoint(op);
  callRuntime(builder, loc, "cufrt_await_temporary",
              {fir::factory::locationToFilename(builder, loc),
               fir::factory::locationToLineNo(builder, loc, builder.getI32Type())},
              {});
  Value copy = hlfir::AsExprOp::create(builder, loc, declare.getBase());
  release();
  op->getResult(0).replaceAllUsesWith(builder.createConvert(loc, op->getResult(0).getType(), copy));
}

void DeviceResult::release() {
  callRuntime(builder, loc,
              onDevice ? "cufrt_free_device_temporary" : "cufrt_free_pinned_temporary", memory, {});
}

} // namespace cufc
