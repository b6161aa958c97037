// Finds arguments of derived type, and characters, that are passed by value to kernels.
//
// flang hands such an argument over by reference to a temporary copy, which is host memory: a
// launch must pass what the reference leads to. At HLFIR level the copy is still marked as made for
// a VALUE dummy; the kernel's own declaration of the dummy says VALUE too.
//
// Characters are handed over as the address and the length of such a copy; where the dummy has a
// constant length, a reference is enough.
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

bool isCharacters(Type type) {
  auto characters = dyn_cast<fir::CharacterType>(fir::unwrapRefType(type));
  return fir::isa_ref_type(type) && characters && characters.hasConstantLen();
}

// The copy that was made for a VALUE dummy, or null. Characters may have a length that is known at
// run time; the kernel takes as many as its dummy has.
Value copyForValue(Value argument) {
  auto text = argument.getDefiningOp<fir::EmboxCharOp>();
  Value memory = text ? text.getMemref() : argument;
  auto copy = memory.getDefiningOp<hlfir::AssociateOp>();
  if (!copy || !copy->hasAttr("adapt.valuebyref"))
    return {};
  if (text || isa<fir::BoxCharType>(argument.getType()))
    return copy.getFirBase();
  return isDerivedReference(memory.getType()) ? memory : Value();
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
    if (Value copy = copyForValue(argument)) {
      operand.set(copy);
      numbers.push_back(number);
    }
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

bool isValue(hlfir::DeclareOp declare) {
  auto attributes = declare.getFortranAttrs().value_or(fir::FortranVariableFlagsEnum::None);
  return fir::bitEnumContainsAny(attributes, fir::FortranVariableFlagsEnum::value);
}

// The declaration of a VALUE dummy of characters that `argument` is the address and length of.
hlfir::DeclareOp valueOfCharacters(BlockArgument argument) {
  hlfir::DeclareOp found;
  argument.getOwner()->walk([&](hlfir::DeclareOp declare) {
    auto address = declare.getMemref().getDefiningOp<fir::ConvertOp>();
    auto parts =
        address ? address.getValue().getDefiningOp<fir::UnboxCharOp>() : fir::UnboxCharOp();
    if (parts && parts.getBoxchar() == argument && isValue(declare) &&
        isCharacters(address.getType()))
      found = declare;
  });
  return found;
}

// Characters become a reference to them.
void referToCharacters(BlockArgument argument, hlfir::DeclareOp declare) {
  auto address = declare.getMemref().getDefiningOp<fir::ConvertOp>();
  auto parts = address.getValue().getDefiningOp<fir::UnboxCharOp>();
  argument.setType(address.getType());
  address.replaceAllUsesWith(Value(argument));
  address.erase();
  OpBuilder builder(parts);
  auto characters = cast<fir::CharacterType>(fir::unwrapRefType(argument.getType()));
  if (!parts.getResult(0).use_empty())
    parts.getResult(0).replaceAllUsesWith(
        fir::ConvertOp::create(builder, parts.getLoc(), parts.getResult(0).getType(), argument));
  if (!parts.getResult(1).use_empty())
    parts.getResult(1).replaceAllUsesWith(
        arith::ConstantIndexOp::create(builder, parts.getLoc(), characters.getLen()));
  parts.erase();
}

// The arguments that are values of derived type, or of characters, become references.
void referToValues(func::FuncOp kernel) {
  llvm::SmallVector<Type> inputs(kernel.getFunctionType().getInputs());
  for (unsigned i = 0; i < inputs.size(); ++i) {
    if (isa<fir::BoxCharType>(inputs[i]) && !kernel.isDeclaration())
      if (hlfir::DeclareOp declare = valueOfCharacters(kernel.getArgument(i))) {
        referToCharacters(kernel.getArgument(i), declare);
        inputs[i] = kernel.getArgument(i).getType();
      }
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
  auto own = hlfir::DeclareOp::create(builder, loc, copy, declare.getUniqName(), Value(),
                                      declare.getTypeparams());
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
    if (argument && argument.getOwner() == &function.front() && isValue(declare) &&
        (isDerivedReference(argument.getType()) || isCharacters(argument.getType())))
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
