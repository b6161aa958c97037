// A variable's address space is part of its type, so moving it means making it anew.
#include "codegen/address_spaces.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"

namespace cufc {

using namespace llvm;

GlobalVariable *moveToAddressSpace(GlobalVariable &variable, unsigned space) {
  auto *moved = new GlobalVariable(*variable.getParent(), variable.getValueType(),
                                   variable.isConstant(), variable.getLinkage(),
                                   variable.hasInitializer() ? variable.getInitializer() : nullptr,
                                   "", nullptr, GlobalValue::NotThreadLocal, space);
  moved->takeName(&variable);
  moved->setAlignment(variable.getAlign());
  moved->copyMetadata(&variable, 0); // what debuggers know of it
  variable.replaceAllUsesWith(ConstantExpr::getAddrSpaceCast(moved, variable.getType()));
  variable.eraseFromParent();
  return moved;
}

void padSharedVariables(llvm::Module &module) {
  constexpr uint64_t word = 4;
  for (llvm::GlobalVariable &variable : llvm::make_early_inc_range(module.globals())) {
    uint64_t bytes = module.getDataLayout().getTypeAllocSize(variable.getValueType());
    uint64_t missing = llvm::alignTo(bytes, word) - bytes;
    if (variable.getAddressSpace() != sharedSpace || variable.isDeclaration() || missing == 0)
      continue;
    llvm::LLVMContext &context = module.getContext();
    auto *padding = llvm::ArrayType::get(llvm::Type::getInt8Ty(context), missing);
    auto *type = llvm::StructType::get(context, {variable.getValueType(), padding});
    auto *padded = new llvm::GlobalVariable(
        module, type, /*isConstant=*/false, variable.getLinkage(), llvm::PoisonValue::get(type), "",
        &variable, llvm::GlobalValue::NotThreadLocal, sharedSpace);
    padded->setAlignment(std::max(variable.getAlign().valueOrOne(), llvm::Align(word)));
    padded->takeName(&variable);
    variable.replaceAllUsesWith(padded);
    variable.eraseFromParent();
  }
}

} // namespace cufc
