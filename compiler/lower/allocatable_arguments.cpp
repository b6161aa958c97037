// Hands the caller's own descriptor to those routines of cudafor that allocate and release.
//
// An ALLOCATABLE or POINTER dummy must have the actual's type, so there would be a specific
// procedure for each type, and none for the types of programs. The dummies are of assumed type and
// rank instead, for which flang passes a copy of the descriptor. Before and after:
//
//   %1 = fir.load %x                        %1 = fir.convert %x : ... -> !fir.ref<!fir.box<none>>
//   %2 = fir.convert (fir.rebox %1)         fir.call @cufrt_f_cudaMalloc_allocatable(%1, ...)
//   fir.call @cufrt_f_cudaMalloc_descriptor(%2, ...)
//
// flang 23 passes the descriptor itself, and calls such a procedure by its address, since the types
// differ:
//
//   %1 = fir.convert (fir.address_of @cufrt_f_cudaMalloc_descriptor)
//   fir.call %1(%x, ...)
//
// The argument is the first of assumed type. A binding label that ends in _descriptor asks for such
// an actual argument; one that ends in _array stays as it is for other arrays.
#include "base/diag.h"
#include "flang/Optimizer/Dialect/FIROps.h"
#include "flang/Optimizer/Dialect/FIRType.h"
#include "lower/mlir_state.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"

namespace cufc {
namespace {

using namespace mlir;

// What is called, also by an address that is known.
SymbolRefAttr calleeOf(fir::CallOp call) {
  if (call.getCallee())
    return *call.getCallee();
  Value address = call.getArgs().front();
  while (auto convert = address.getDefiningOp<fir::ConvertOp>())
    address = convert.getValue();
  auto known = address.getDefiningOp<fir::AddrOfOp>();
  return known ? known.getSymbol() : SymbolRefAttr();
}

// What the argument is a copy of, or itself; null for other arguments.
Value ownDescriptor(Value argument) {
  auto box = dyn_cast<fir::BaseBoxType>(fir::unwrapRefType(argument.getType()));
  if (fir::isa_ref_type(argument.getType()) && box && box.isPointerOrAllocatable())
    return argument;
  while (Operation *operation = argument.getDefiningOp()) {
    if (auto load = dyn_cast<fir::LoadOp>(operation)) {
      auto box = dyn_cast<fir::BaseBoxType>(load.getType());
      return box && box.isPointerOrAllocatable() ? load.getMemref() : Value();
    }
    if (!isa<fir::ConvertOp, fir::ReboxOp, fir::BoxAddrOp, fir::EmboxOp>(operation))
      return {};
    argument = operation->getOperand(0);
  }
  return {};
}

class AllocatableArguments {
public:
  AllocatableArguments(ModuleOp module, Diagnostics &diagnostics)
      : module(module), diagnostics(diagnostics) {}

  bool run() {
    module.walk([&](fir::CallOp call) {
      SymbolRefAttr callee = calleeOf(call);
      StringRef name = callee ? callee.getLeafReference().getValue() : StringRef();
      if (name.consume_front("cufrt_f_"))
        visit(call, module.lookupSymbol<func::FuncOp>(callee), name);
    });
    return good;
  }

private:
  void visit(fir::CallOp call, func::FuncOp callee, StringRef name) {
    bool required = name.consume_back("_descriptor");
    if (!required && !name.consume_back("_array"))
      return;
    unsigned position = assumedTypeArgument(callee);
    unsigned behindAddress = call.getCallee() ? 0 : 1;
    if (Value descriptor = ownDescriptor(call.getArgs()[behindAddress + position])) {
      call.getArgsMutable().erase(0, behindAddress);
      redirect(call, callee, position, descriptor, ("cufrt_f_" + name + "_allocatable").str());
    } else if (required) {
      diagnostics.report(Diag::NotAllocatable, toSourceRange(call.getLoc()), name.str());
      good = false;
    }
  }

  // The position of the first one.
  unsigned assumedTypeArgument(func::FuncOp callee) {
    for (auto [position, type] : llvm::enumerate(callee.getFunctionType().getInputs()))
      if (auto box = dyn_cast<fir::BaseBoxType>(type);
          box && isa<NoneType>(fir::unwrapSequenceType(box.getEleTy())))
        return position;
    return 0;
  }

  void redirect(fir::CallOp call, func::FuncOp copied, unsigned position, Value descriptor,
                const std::string &name) {
    OpBuilder builder(call);
    Type anyDescriptor = fir::ReferenceType::get(fir::BoxType::get(builder.getNoneType()));
    declare(copied, position, name, anyDescriptor);
    Value own = fir::ConvertOp::create(builder, call.getLoc(), anyDescriptor, descriptor);
    call.getArgsMutable().slice(position, 1).assign(own);
    call.setCalleeAttr(SymbolRefAttr::get(builder.getContext(), name));
  }

  void declare(func::FuncOp copied, unsigned position, const std::string &name,
               Type anyDescriptor) {
    if (module.lookupSymbol(name))
      return;
    OpBuilder builder(copied);
    SmallVector<Type> inputs(copied.getFunctionType().getInputs());
    inputs[position] = anyDescriptor;
    auto declared = cast<func::FuncOp>(builder.clone(*copied));
    declared.setName(name);
    declared.setFunctionType(
        builder.getFunctionType(inputs, copied.getFunctionType().getResults()));
  }

  ModuleOp module;
  Diagnostics &diagnostics;
  bool good = true;
};

} // namespace

bool passOwnDescriptors(ModuleOp module, Diagnostics &diagnostics) {
  return AllocatableArguments(module, diagnostics).run();
}

} // namespace cufc
