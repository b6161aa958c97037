// See stack_arrays.h.
#include "codegen/cpu/stack_arrays.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Instructions.h"

namespace cufc {

using namespace llvm;

Type *accessedType(const AllocaInst &memory) {
  Type *type = nullptr;
  auto isAccess = [&](const Use &use) {
    const User *user = use.getUser();
    if (getLoadStorePointerOperand(user) != use.get() ||
        (isa<StoreInst>(user) && use.getOperandNo() != StoreInst::getPointerOperandIndex()))
      return false;
    Type *accessed = getLoadStoreType(user);
    type = type ? type : accessed;
    return type == accessed && (type->isIntegerTy() || type->isFloatingPointTy());
  };
  const bool isArray = all_of(memory.uses(), [&](const Use &use) {
    auto *element = dyn_cast<GetElementPtrInst>(use.getUser());
    return element ? element->getNumIndices() == 1 && all_of(element->uses(), isAccess)
                   : isAccess(use);
  });
  const bool fits = isArray && all_of(memory.users(), [&](const User *user) {
                      auto *element = dyn_cast<GetElementPtrInst>(user);
                      return !element || element->getSourceElementType() == type;
                    });
  const DataLayout &layout = memory.getDataLayout();
  return fits && type && layout.getTypeAllocSize(type) == layout.getTypeStoreSize(type) ? type
                                                                                        : nullptr;
}

} // namespace cufc
