// Storage of device variables of host procedures, at HLFIR level.
//
// cuf.alloc and cuf.free become calls of the runtime, with the size of the whole object: flang's
// own lowering takes a character for one byte. A descriptor is ordinary memory of the host, since
// kernels take descriptors by value (device_lowering.cpp); flang would allocate managed memory for
// it, and for every copy of it.
#include "flang/Optimizer/Builder/FIRBuilder.h"
#include "flang/Optimizer/Dialect/CUF/CUFOps.h"
#include "flang/Optimizer/Dialect/FIROps.h"
#include "flang/Optimizer/HLFIR/HLFIROps.h"
#include "lower/device_procedures.h"
#include "lower/mlir_state.h"
#include "lower/runtime_calls.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace cufc {
namespace {

using namespace mlir;

// flang/Runtime/CUDA/common.h
unsigned memoryKind(cuf::DataAttribute attribute) {
  switch (attribute) {
  case cuf::DataAttribute::Managed:
    return 1;
  case cuf::DataAttribute::Unified:
    return 2;
  case cuf::DataAttribute::Pinned:
    return 3;
  default:
    return 0;
  }
}

class Storage {
public:
  explicit Storage(Operation *op)
      : loc(op->getLoc()), module(op->getParentOfType<ModuleOp>()),
        builder(op, fir::getKindMapping(module)) {}

  void allocate(cuf::AllocOp alloc) {
    Value memory;
    if (isa<fir::BaseBoxType>(alloc.getInType()))
      memory = fir::AllocaOp::create(builder, loc, alloc.getInType());
    else
      memory = builder.createConvert(
          loc, alloc.getType(),
          callRuntime(builder, loc, "cufrt_allocate_variable",
                      {size(alloc), kind(alloc.getDataAttr()), file(), line()},
                      fir::LLVMPointerType::get(builder.getI8Type())));
    alloc.replaceAllUsesWith(memory);
    alloc.erase();
  }

  void free(cuf::FreeOp free) {
    if (!isa<fir::BaseBoxType>(fir::unwrapRefType(free.getDevptr().getType())))
      callRuntime(builder, loc, "cufrt_free_variable",
                  {builder.createConvert(loc, fir::LLVMPointerType::get(builder.getI8Type()),
                                         free.getDevptr()),
                   kind(free.getDataAttr()), file(), line()},
                  {});
    free.erase();
  }

private:
  Value kind(cuf::DataAttribute attribute) {
    return builder.createIntegerConstant(loc, builder.getI32Type(), memoryKind(attribute));
  }
  Value file() { return fir::factory::locationToFilename(builder, loc); }
  Value line() { return fir::factory::locationToLineNo(builder, loc, builder.getI32Type()); }

  // Bytes of the object: of its element, times the length of a character, times the extents; those
  // that are not constant are operands.
  Value size(cuf::AllocOp alloc) {
    Type type = alloc.getInType(), i64 = builder.getI64Type();
    auto array = dyn_cast<fir::SequenceType>(type);
    Type element = array ? array.getEleTy() : type;
    auto dynamicText = dyn_cast<fir::CharacterType>(element);
    if (dynamicText && !dynamicText.hasConstantLen())
      element = fir::CharacterType::getSingleton(builder.getContext(), dynamicText.getFKind());
    else
      dynamicText = {};
    llvm::SmallVector<Value> factors{elementBytes(element)};
    if (dynamicText)
      factors.push_back(alloc.getTypeparams().front());
    factors.append(alloc.getShape().begin(), alloc.getShape().end());
    int64_t constant = 1;
    for (int64_t extent : array ? array.getShape() : llvm::ArrayRef<int64_t>())
      if (extent != fir::SequenceType::getUnknownExtent())
        constant *= extent;
    Value result = builder.createIntegerConstant(loc, i64, constant);
    for (Value factor : factors)
      result = arith::MulIOp::create(builder, loc, result, builder.createConvert(loc, i64, factor));
    return result;
  }

  // As the code generator finds it, which knows the layout of derived types.
  Value elementBytes(Type element) {
    Value none = fir::ZeroOp::create(builder, loc, builder.getRefType(element));
    Value box = fir::EmboxOp::create(builder, loc, fir::BoxType::get(element), none);
    return fir::BoxEleSizeOp::create(builder, loc, builder.getIndexType(), box);
  }

  Location loc;
  ModuleOp module;
  fir::FirOpBuilder builder;
};

} // namespace

void lowerDeviceStorage(ModuleOp module) {
  for (auto function : module.getOps<func::FuncOp>()) {
    if (procedureAttribute(function) != cuf::ProcAttribute::Host)
      continue;
    llvm::SmallVector<Operation *> operations;
    function.walk([&](Operation *op) {
      if (isa<cuf::AllocOp, cuf::FreeOp>(op))
        operations.push_back(op);
    });
    for (Operation *op : operations)
      if (auto alloc = dyn_cast<cuf::AllocOp>(op))
        Storage(op).allocate(alloc);
      else
        Storage(op).free(cast<cuf::FreeOp>(op));
  }
}

} // namespace cufc
