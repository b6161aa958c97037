// nvfortran passes the address of an assumed-shape array where an explicit-shape one is expected,
// and its descriptor behind all arguments. So a program may declare `a(:)` in an interface body and
// `a(n)` in the external procedure, in another file, and some do. flang passes the descriptor
// alone.
//
// An external procedure therefore has a table of its arguments' forms,
//
//   llvm.mlir.global weak constant @cufc.forms.work("\02\01\00work\00")  // two: address, other
//
// and a call of a procedure of another file asks the table, if there is one when the program is
// linked:
//
//   %table = llvm.mlir.addressof @cufc.forms.work   // extern_weak
//   %given = fir.call @cufrt_argument(%box, %table, 0)
//   fir.call %work(%given, ...)                     // the address of @_QPwork
//
// %given is the descriptor or the array's address.
#include "lower/argument_forms.h"
#include "flang/Optimizer/Dialect/FIROps.h"
#include "flang/Optimizer/Dialect/FIRType.h"
#include "flang/Optimizer/Support/InternalNames.h"
#include "lower/runtime_calls.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace cufc {
namespace {

using namespace mlir;

// The name of an external procedure that has no binding label; else empty.
std::string externalName(llvm::StringRef symbol) {
  auto [kind, names] = fir::NameUniquer::deconstruct(symbol);
  bool isExternal =
      kind == fir::NameUniquer::NameKind::PROCEDURE && names.modules.empty() && names.procs.empty();
  return isExternal ? names.name : "";
}

std::string tableName(const std::string &procedure) { return "cufc.forms." + procedure; }

// Strings have their length behind all arguments, which a descriptor replaces.
bool isArrayOfNumbers(Type type) {
  auto array = dyn_cast<fir::SequenceType>(type);
  return array && !array.hasUnknownShape() && !isa<fir::CharacterType>(array.getEleTy());
}

bool isAddress(Type type) {
  auto reference = dyn_cast<fir::ReferenceType>(type);
  return reference && !isa<fir::BaseBoxType, fir::BoxProcType>(reference.getEleTy());
}

bool isAssumedShape(Type type) {
  auto box = dyn_cast<fir::BoxType>(type);
  return box && isArrayOfNumbers(box.getEleTy());
}

constexpr size_t mostArguments = 255; // a table counts them in a byte

void addTable(func::FuncOp function, const std::string &name) {
  llvm::ArrayRef<Type> types = function.getArgumentTypes();
  bool hasArrays = llvm::any_of(types, [](Type type) {
    return isAddress(type) && isArrayOfNumbers(cast<fir::ReferenceType>(type).getEleTy());
  });
  auto module = function->getParentOfType<ModuleOp>();
  if (!hasArrays || types.size() > mostArguments || module.lookupSymbol(tableName(name)))
    return;
  std::string table(1, static_cast<char>(types.size()));
  for (Type type : types)
    table += static_cast<char>(isAddress(type));
  table += name + '\0';
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  auto bytes = LLVM::LLVMArrayType::get(builder.getI8Type(), table.size());
  LLVM::GlobalOp::create(builder, function.getLoc(), bytes, /*isConstant=*/true,
                         LLVM::Linkage::Weak, tableName(name), builder.getStringAttr(table));
}

Value addressOfTable(OpBuilder &builder, Location loc, ModuleOp module, const std::string &name) {
  auto table = module.lookupSymbol<LLVM::GlobalOp>(tableName(name));
  if (!table) {
    OpBuilder atEnd = OpBuilder::atBlockEnd(module.getBody());
    table = LLVM::GlobalOp::create(atEnd, loc, builder.getI8Type(), /*isConstant=*/true,
                                   LLVM::Linkage::ExternWeak, tableName(name), Attribute());
  }
  return LLVM::AddressOfOp::create(builder, loc, table);
}

// The descriptor or the address of the array, as the procedure takes it.
Value askForForm(OpBuilder &builder, Location loc, Value box, Value table, unsigned number) {
  Value any = fir::ConvertOp::create(builder, loc, fir::BoxType::get(builder.getNoneType()), box);
  Value index = arith::ConstantIntOp::create(builder, loc, number, 32);
  return callRuntime(builder, loc, "cufrt_argument", {any, table, index},
                     {fir::ReferenceType::get(builder.getI8Type())});
}

// FIR has no descriptors by address, so the procedure is called by its address, with another type.
void askForForms(fir::CallOp call, func::FuncOp callee, const std::string &name) {
  OpBuilder builder(call);
  Location loc = call.getLoc();
  Value table = addressOfTable(builder, loc, call->getParentOfType<ModuleOp>(), name);
  llvm::SmallVector<Value> operands;
  for (auto [number, operand] : llvm::enumerate(call.getOperands()))
    operands.push_back(isAssumedShape(operand.getType())
                           ? askForForm(builder, loc, operand, table, number)
                           : operand);
  auto type = builder.getFunctionType(ValueRange(operands).getTypes(), call.getResultTypes());
  Value address = fir::AddrOfOp::create(builder, loc, callee.getFunctionType(), *call.getCallee());
  operands.insert(operands.begin(), fir::ConvertOp::create(builder, loc, type, address));
  OperationState state(loc, fir::CallOp::getOperationName());
  state.addOperands(operands);
  state.addTypes(call.getResultTypes());
  Operation *indirect = builder.create(state);
  call->replaceAllUsesWith(indirect->getResults());
  call.erase();
}

// Null if the call is not one of a procedure of another file that has no binding label.
func::FuncOp externalCallee(fir::CallOp call, ModuleOp module) {
  if (!call.getCallee() || llvm::none_of(call.getOperandTypes(), isAssumedShape))
    return {};
  auto callee = module.lookupSymbol<func::FuncOp>(call.getCallee()->getRootReference());
  bool isOther = callee && callee.isExternal() && !externalName(callee.getSymName()).empty();
  return isOther ? callee : func::FuncOp();
}

struct ArgumentForms : PassWrapper<ArgumentForms, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ArgumentForms)
  llvm::StringRef getArgument() const override { return "cufc-argument-forms"; }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<LLVM::LLVMDialect, arith::ArithDialect>();
  }
  void runOnOperation() override {
    ModuleOp module = getOperation();
    llvm::SmallVector<fir::CallOp> calls;
    module.walk([&](fir::CallOp call) { calls.push_back(call); });
    for (fir::CallOp call : calls)
      if (func::FuncOp callee = externalCallee(call, module))
        askForForms(call, callee, externalName(callee.getSymName()));
    for (func::FuncOp function : llvm::to_vector(module.getOps<func::FuncOp>()))
      if (std::string name = externalName(function.getSymName());
          !function.isExternal() && !name.empty())
        addTable(function, name);
  }
};

} // namespace

std::unique_ptr<Pass> createArgumentForms() { return std::make_unique<ArgumentForms>(); }

} // namespace cufc
