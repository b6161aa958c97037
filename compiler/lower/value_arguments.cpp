// Finds arguments of derived type that are passed by value to kernels.
//
// flang hands such an argument over by reference to a temporary copy, which is host memory: a
// launch must pass what the reference leads to. At HLFIR level the copy is still marked as made for
// a VALUE dummy; the kernel's own declaration of the dummy says VALUE too.
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

void markLaunch(cuf::KernelLaunchOp launch) {
  llvm::SmallVector<int64_t> numbers;
  for (auto [number, argument] : llvm::enumerate(launch.getArgs())) {
    auto copy = argument.getDefiningOp<hlfir::AssociateOp>();
    if (copy && copy->hasAttr("adapt.valuebyref") && isDerivedReference(argument.getType()))
      numbers.push_back(number);
  }
  set(launch, numbers);
}

void markKernel(func::FuncOp function) {
  llvm::SmallVector<int64_t> numbers;
  function.walk([&](hlfir::DeclareOp declare) {
    auto argument = dyn_cast<BlockArgument>(declare.getMemref());
    auto attributes = declare.getFortranAttrs().value_or(fir::FortranVariableFlagsEnum::None);
    if (argument && argument.getOwner() == &function.front() &&
        isDerivedReference(argument.getType()) &&
        fir::bitEnumContainsAny(attributes, fir::FortranVariableFlagsEnum::value))
      numbers.push_back(argument.getArgNumber());
  });
  set(function, numbers);
}

} // namespace

void markValueArguments(ModuleOp module) {
  module.walk(markLaunch);
  for (auto function : module.getOps<func::FuncOp>())
    if (isKernel(function) && !function.isDeclaration())
      markKernel(function);
}

} // namespace cufc
