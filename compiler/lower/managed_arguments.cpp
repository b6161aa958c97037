// Values of expressions of host code that are passed for managed dummy arguments get managed
// memory, so that the procedure may hand them to kernels. Before and after:
//
//   %a:3 = hlfir.associate %e(%shape)        %m = fir.call @cufrt_managed_temporary(%bytes)
//   fir.call @mean(%a#0)                     %d:2 = hlfir.declare %m(%shape)
//   hlfir.end_associate %a#1, %a#2           hlfir.assign %e to %d#0 temporary_lhs
//                                            fir.call @mean(%d#0)
//                                            fir.call @cufrt_free_managed_temporary(%m)
#include "flang/Optimizer/Builder/HLFIRTools.h"
#include "flang/Optimizer/Dialect/CUF/CUFOps.h"
#include "flang/Optimizer/HLFIR/HLFIROps.h"
#include "lower/data_location.h"
#include "lower/mlir_state.h"
#include "lower/runtime_calls.h"
#include "lower/type_sizes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace cufc {
namespace {

using namespace mlir;

bool isManaged(func::FuncOp procedure, unsigned number) {
  auto attribute =
      procedure.getArgAttrOfType<cuf::DataAttributeAttr>(number, cuf::getDataAttrName());
  return attribute && attribute.getValue() == cuf::DataAttribute::Managed;
}

hlfir::AssociateOp associateOf(Value argument) {
  while (Operation *op = argument.getDefiningOp()) {
    if (auto associate = dyn_cast<hlfir::AssociateOp>(op))
      return associate;
    if (!isa<fir::ConvertOp, fir::ReboxOp, fir::EmboxOp, fir::BoxAddrOp>(op))
      return {};
    argument = op->getOperand(0);
  }
  return {};
}

Value allocate(fir::FirOpBuilder &builder, Location loc, Type element, ValueRange extents) {
  Value bytes = builder.createIntegerConstant(loc, builder.getI64Type(), bytesOf(element));
  for (Value extent : extents)
    bytes = arith::MulIOp::create(builder, loc, bytes,
                                  builder.createConvert(loc, builder.getI64Type(), extent));
  return callRuntime(builder, loc, "cufrt_managed_temporary",
                     {bytes, fir::factory::locationToFilename(builder, loc),
                      fir::factory::locationToLineNo(builder, loc, builder.getI32Type())},
                     fir::LLVMPointerType::get(builder.getI8Type()));
}

void replace(hlfir::AssociateOp associate) {
  fir::FirOpBuilder builder(associate, fir::getKindMapping(associate->getParentOfType<ModuleOp>()));
  Location loc = associate.getLoc();
  Value source = associate.getSource(), shape = associate.getShape();
  llvm::SmallVector<Value> extents;
  if (shape)
    extents = hlfir::getIndexExtents(loc, builder, shape);
  Type element = fir::unwrapSequenceType(fir::unwrapRefType(associate.getFirBase().getType()));
  if (auto box = dyn_cast<fir::BaseBoxType>(associate.getFirBase().getType()))
    element = fir::unwrapSequenceType(fir::unwrapRefType(box.getEleTy()));
  Value memory = allocate(builder, loc, element, extents);
  Type type = element;
  if (auto expr = dyn_cast<hlfir::ExprType>(source.getType()); expr && expr.isArray())
    type = fir::SequenceType::get(expr.getShape(), element);
  Value address = builder.createConvert(loc, builder.getRefType(type), memory);
  auto declare = hlfir::DeclareOp::create(builder, loc, address, "cufc.managed", shape);
  hlfir::AssignOp::create(builder, loc, source, declare.getBase(), /*realloc=*/false,
                          /*keepLhsLength=*/false, /*temporaryLhs=*/true);
  for (Value result : associate->getResults())
    for (Operation *user : llvm::make_early_inc_range(result.getUsers()))
      if (auto end = dyn_cast<hlfir::EndAssociateOp>(user)) {
        builder.setInsertionPoint(end);
        callRuntime(builder, loc, "cufrt_free_managed_temporary", memory, {});
        end.erase();
      }
  builder.setInsertionPoint(associate);
  auto as = [&](Value wanted, Value made) {
    builder.setInsertionPointAfterValue(made);
    wanted.replaceAllUsesWith(builder.createConvert(loc, wanted.getType(), made));
  };
  as(associate.getBase(), declare.getBase());
  as(associate.getFirBase(), declare.getOriginalBase());
  associate.erase();
}

// A call of whatever procedure is bound to the object's type. A function's result may come before
// its arguments.
llvm::SmallVector<Value> managedArguments(ModuleOp module, fir::DispatchOp call) {
  auto bindings = module->getAttrOfType<DictionaryAttr>(managedBindingsAttribute);
  llvm::StringRef method = call.getMethod().split('.').first;
  llvm::SmallVector<Value> arguments(call.getArgOperands()), result;
  auto type = dyn_cast<fir::RecordType>(hlfir::getFortranElementType(call.getObject().getType()));
  while (bindings && type) {
    if (auto numbers = bindings.getAs<DenseI32ArrayAttr>(componentKey(type, method))) {
      size_t first = arguments.size() - numbers[0];
      for (int32_t number : numbers.asArrayRef().drop_front())
        result.push_back(arguments[first + number]);
      break;
    }
    auto parts = type.getTypeList(); // the first is the type that it extends, if it does
    type = parts.empty() ? fir::RecordType() : dyn_cast<fir::RecordType>(parts.front().second);
  }
  return result;
}

} // namespace

void manageArguments(ModuleOp module) {
  llvm::SetVector<Operation *> found;
  auto add = [&](Value argument) {
    if (hlfir::AssociateOp associate = associateOf(argument))
      found.insert(associate);
  };
  module.walk([&](fir::CallOp call) {
    auto callee = call.getCallee()
                      ? module.lookupSymbol<func::FuncOp>(call.getCallee()->getLeafReference())
                      : func::FuncOp();
    if (callee)
      for (auto [number, argument] : llvm::enumerate(call.getArgs()))
        if (number < callee.getNumArguments() && isManaged(callee, number))
          add(argument);
  });
  module.walk([&](fir::DispatchOp call) {
    for (Value argument : managedArguments(module, call))
      add(argument);
  });
  for (Operation *associate : found)
    replace(cast<hlfir::AssociateOp>(associate));
}

} // namespace cufc
