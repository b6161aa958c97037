// See runtime_calls.h.
#include "lower/runtime_calls.h"
#include "flang/Optimizer/Builder/BoxValue.h"
#include "flang/Optimizer/Builder/FIRBuilder.h"
#include "flang/Optimizer/Dialect/FIROps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace cufc {

using namespace mlir;

Value callRuntime(OpBuilder &builder, Location loc, llvm::StringRef name, ValueRange operands,
                  llvm::ArrayRef<Type> results) {
  auto module = builder.getInsertionBlock()->getParentOp()->getParentOfType<ModuleOp>();
  auto function = module.lookupSymbol<func::FuncOp>(name);
  if (!function) {
    OpBuilder atEnd = OpBuilder::atBlockEnd(module.getBody());
    function = func::FuncOp::create(
        atEnd, loc, name, FunctionType::get(builder.getContext(), operands.getTypes(), results));
    function.setPrivate();
  }
  llvm::SmallVector<Value> arguments;
  for (auto [operand, type] : llvm::zip(operands, function.getArgumentTypes()))
    arguments.push_back(operand.getType() == type
                            ? operand
                            : fir::ConvertOp::create(builder, loc, type, operand).getResult());
  auto call = fir::CallOp::create(builder, loc, SymbolRefAttr::get(builder.getContext(), name),
                                  results, arguments);
  return results.empty() ? Value() : call.getResult(0);
}

Value descriptorArgument(fir::FirOpBuilder &builder, Location loc, Value box) {
  Value memory = builder.createTemporary(loc, box.getType());
  fir::StoreOp::create(builder, loc, box, memory);
  return builder.createConvert(loc, fir::LLVMPointerType::get(builder.getI8Type()), memory);
}

Value textArgument(fir::FirOpBuilder &builder, Location loc, const std::string &text) {
  Value literal =
      fir::getBase(fir::factory::createStringLiteral(builder, loc, text + std::string(1, '\0')));
  return builder.createConvert(loc, fir::ReferenceType::get(builder.getI8Type()), literal);
}

} // namespace cufc
