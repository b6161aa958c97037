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
  variable.replaceAllUsesWith(ConstantExpr::getAddrSpaceCast(moved, variable.getType()));
  variable.eraseFromParent();
  return moved;
}

} // namespace cufc
