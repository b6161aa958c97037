// Finds arguments of derived type that are passed by value to kernels.
//
// flang hands such an argument over by reference to a temporary copy, which is host memory: a
// launch must pass what the reference leads to. At HLFIR level the copy is still marked as made for
// a VALUE dummy; the kernel's own declaration of the dummy says VALUE too.
//
// A BIND(C) kernel gets the value itself, for which flang knows no registers on a GPU (its
// TargetRewrite). It becomes a reference of that kind too.
#include "flang/Optimizer/Builder/FIRBuilder.h"
#include "flang/Optimizer/Dialect/CUF/CUFOps.h"
#include "flang/Optimizer/Dialect/FIROpsSupport.h"
#include "flang/Optimizer/HLFIR/HLFIROps.h"
#include "lower/device_procedures.h"
#include "lower/mlir_state.h"

namespace cufc {
namespace {

using namespace mlir;

void set(Operation *op, llvm::ArrayRef<int64_t> numbers) {
  if (!numbers.empty())
    op->setAttr(byValueAttribute, DenseI64ArrayAttr::get(op->getContext(), numbers));
}

bool isDerivedReference(Type type) {
  return fir::isa_ref_type(type) && isa<fir::RecordType>(fir::unwrapRefType(type));
}

// Puts a value into memory before a launch.
Value spilled(cuf::KernelLaunchOp launch, Value value) {
  fir::FirOpBuilder builder(launch, fir::getKindMapping(launch->getParentOfType<ModuleOp>()));
  Value memory = builder.createTemporary(launch.getLoc(), value.getType());
  fir::StoreOp::create(builder, launch.getLoc(), value, memory);
  return memory;
}

void markLaunch(cuf::KernelLaunchOp launch) {
  llvm::SmallVector<int64_t> numbers;
  for (auto [number, operand] : llvm::enumerate(launch.getArgsMutable())) {
    Value argument = operand.get();
    if (isa<fir::RecordType>(argument.getType())) {
      operand.set(spilled(launch, argument));
      numbers.push_back(number);
      continue;
    }
    auto copy = argument.getDefiningOp<hlfir::AssociateOp>();
    if (copy && copy->hasAttr("adapt.valuebyref") && isDerivedReference(argument.getType()))
      numbers.push_back(number);
  }
  set(launch, numbers);
}

// A dummy that gets its value itself, which flang has stored in a variable, is where the argument
// is.
void dropVariable(BlockArgument argument) {
  for (Operation *user : llvm::make_early_inc_range(argument.getUsers())) {
    auto store = dyn_cast<fir::StoreOp>(user);
    auto variable = store ? store.getMemref().getDefiningOp<fir::AllocaOp>() : fir::AllocaOp();
    if (!variable || store.getValue() != argument)
      continue;
    store.erase();
    variable.replaceAllUsesWith(Value(argument));
    variable.erase();
  }
}

// The arguments that are values of derived type become references.
void referToValues(func::FuncOp kernel) {
  llvm::SmallVector<Type> inputs(kernel.getFunctionType().getInputs());
  for (unsigned i = 0; i < inputs.size(); ++i) {
    if (!isa<fir::RecordType>(inputs[i]))
      continue;
    inputs[i] = fir::ReferenceType::get(inputs[i]);
    if (kernel.isDeclaration())
      continue;
    BlockArgument argument = kernel.getArgument(i);
    dropVariable(argument);
    argument.setType(inputs[i]);
  }
  kernel.setFunctionType(
      FunctionType::get(kernel.getContext(), inputs, kernel.getFunctionType().getResults()));
}

// Whether code may change what is at an address.
bool mayChange(Value address) {
  return llvm::any_of(address.getUsers(), [&](Operation *user) {
    if (isa<fir::LoadOp>(user))
      return false;
    if (auto assign = dyn_cast<hlfir::AssignOp>(user))
      return assign.getLhs() == address;
    if (isa<hlfir::DesignateOp, hlfir::DeclareOp, fir::ConvertOp>(user))
      return llvm::any_of(user->getResults(), mayChange);
    return true;
  });
}

// All threads find the argument at one place. A kernel that may change it gets a copy for each.
void copyForThread(hlfir::DeclareOp declare) {
  if (!llvm::any_of(declare->getResults(), mayChange))
    return;
  OpBuilder builder(declare);
  Location loc = declare.getLoc();
  Value argument = declare.getMemref();
  Value copy = fir::AllocaOp::create(builder, loc, fir::unwrapRefType(argument.getType()));
  fir::StoreOp::create(builder, loc, fir::LoadOp::create(builder, loc, argument), copy);
  // It is no dummy any more for those who ask what may lie at the same place.
  auto own = hlfir::DeclareOp::create(builder, loc, copy, declare.getUniqName());
  declare->replaceAllUsesWith(own->getResults());
  declare.erase();
}

void markKernel(func::FuncOp function) {
  referToValues(function);
  if (function.isDeclaration())
    return;
  llvm::SmallVector<hlfir::DeclareOp> dummies;
  function.walk([&](hlfir::DeclareOp declare) {
    auto argument = dyn_cast<BlockArgument>(declare.getMemref());
    auto attributes = declare.getFortranAttrs().value_or(fir::FortranVariableFlagsEnum::None);
    if (argument && argument.getOwner() == &function.front() &&
        isDerivedReference(argument.getType()) &&
        fir::bitEnumContainsAny(attributes, fir::FortranVariableFlagsEnum::value))
      dummies.push_back(declare);
  });
  llvm::SmallVector<int64_t> numbers;
  for (hlfir::DeclareOp declare : dummies) {
    numbers.push_back(cast<BlockArgument>(declare.getMemref()).getArgNumber());
    copyForThread(declare);
  }
  set(function, numbers);
}

} // namespace

void markValueArguments(ModuleOp module) {
  module.walk(markLaunch);
  for (auto function : module.getOps<func::FuncOp>())
    if (isKernel(function))
      markKernel(function);
}

} // namespace cufc
