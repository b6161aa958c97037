// Arguments and results of BIND(C) types that device procedures pass by value.
//
//   %v = fir.call @f(%p) : (!fir.type<t{x:f32,n:i32}>) -> !fir.type<t{x:f32,n:i32}>
//
//   %v = fir.call @f(%q) : (tuple<f32, i32>) -> tuple<f32, i32>
//
// flang's TargetRewrite has no rules for such values on a GPU and ends with an error. A structure
// of LLVM is what PTX passes as an array of bytes with the structure's alignment, as nvcc does with
// one of C ("CUDA Binary Utilities", "PTX Interoperability"); a tuple becomes such a structure.
#include "flang/Optimizer/Dialect/FIROps.h"
#include "flang/Optimizer/Dialect/FIRType.h"
#include "lower/mlir_state.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace cufc {
namespace {

using namespace mlir;

// The type in whose place a value is passed, or null.
Type structureOf(Type type) {
  auto record = dyn_cast<fir::RecordType>(type);
  if (!record || record.getTypeList().empty())
    return {};
  llvm::SmallVector<Type> parts;
  for (const auto &[name, part] : record.getTypeList())
    parts.push_back(part);
  return TupleType::get(type.getContext(), parts);
}

llvm::SmallVector<Type> structuresOf(TypeRange types) {
  llvm::SmallVector<Type> result;
  for (Type type : types)
    result.push_back(structureOf(type) ? structureOf(type) : type);
  return result;
}

bool hasStructure(TypeRange types) {
  return llvm::any_of(types, [](Type type) { return bool(structureOf(type)); });
}

// The same bytes as a value of another type. Memory for them is at the start of the procedure.
Value asType(OpBuilder &builder, Location location, Value value, Type type, Type record) {
  auto function = builder.getBlock()->getParent()->getParentOfType<FunctionOpInterface>();
  Block &entry = function.getFunctionBody().front();
  OpBuilder start(&entry, entry.begin());
  Value memory = fir::AllocaOp::create(start, location, record);
  auto placeFor = [&](Type wanted) -> Value {
    auto reference = fir::ReferenceType::get(wanted);
    return wanted == record
               ? memory
               : fir::ConvertOp::create(builder, location, reference, memory).getResult();
  };
  fir::StoreOp::create(builder, location, value, placeFor(value.getType()));
  return fir::LoadOp::create(builder, location, placeFor(type));
}

// What was a value of derived type comes as a structure now.
void receiveStructure(OpBuilder &builder, Location location, Value value) {
  Type record = value.getType();
  llvm::SmallVector<OpOperand *> uses;
  for (OpOperand &use : value.getUses())
    uses.push_back(&use);
  value.setType(structureOf(record));
  Value received = asType(builder, location, value, record, record);
  for (OpOperand *use : uses)
    use->set(received);
}

void passStructures(fir::CallOp call) {
  if (!call.getCallee() ||
      !(hasStructure(call.getOperandTypes()) || hasStructure(call.getResultTypes())))
    return;
  OpBuilder builder(call);
  for (OpOperand &operand : call->getOpOperands())
    if (Type type = structureOf(operand.get().getType()))
      operand.set(asType(builder, call.getLoc(), operand.get(), type, operand.get().getType()));
  if (!hasStructure(call.getResultTypes()))
    return;
  builder.setInsertionPointAfter(call);
  receiveStructure(builder, call.getLoc(), call->getResult(0));
}

void passStructures(func::FuncOp function) {
  FunctionType type = function.getFunctionType();
  if (!hasStructure(type.getInputs()) && !hasStructure(type.getResults()))
    return;
  function.setFunctionType(FunctionType::get(function.getContext(), structuresOf(type.getInputs()),
                                             structuresOf(type.getResults())));
  if (function.isDeclaration())
    return;
  OpBuilder builder(&function.front(), function.front().begin());
  for (BlockArgument argument : function.getArguments())
    if (structureOf(argument.getType()))
      receiveStructure(builder, function.getLoc(), argument);
  function.walk([&](func::ReturnOp end) {
    builder.setInsertionPoint(end);
    for (OpOperand &operand : end->getOpOperands())
      if (Type wanted = structureOf(operand.get().getType()))
        operand.set(asType(builder, end.getLoc(), operand.get(), wanted, operand.get().getType()));
  });
}

struct ValueStructures : PassWrapper<ValueStructures, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ValueStructures)
  llvm::StringRef getArgument() const override { return "cufc-value-structures"; }
  void runOnOperation() override {
    llvm::SmallVector<fir::CallOp> calls;
    llvm::SmallVector<func::FuncOp> functions;
    getOperation().walk([&](fir::CallOp op) { calls.push_back(op); });
    getOperation().walk([&](func::FuncOp op) { functions.push_back(op); });
    for (fir::CallOp call : calls)
      passStructures(call);
    for (func::FuncOp function : functions)
      passStructures(function);
  }
};

} // namespace

std::unique_ptr<Pass> createValueStructures() { return std::make_unique<ValueStructures>(); }

} // namespace cufc
