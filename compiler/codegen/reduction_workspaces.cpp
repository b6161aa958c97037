// Workspaces are marked before procedures are inlined, as what calls pass.
#include "codegen/reduction_workspaces.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

namespace cufc {

using namespace llvm;

bool isReduction(const Function &function) {
  StringRef name = function.getName();
  return name.starts_with(reducePrefix) || name.starts_with(gatherPrefix);
}

void markReductionWorkspaces(Function &reduction) {
  for (User *user : reduction.users())
    if (auto *call = dyn_cast<CallInst>(user))
      for (Value *value : call->args())
        if (auto *argument = dyn_cast<Argument>(value->stripPointerCasts());
            argument && value->getType()->isPointerTy())
          argument->addAttr(Attribute::get(argument->getContext(), reductionWorkspace));
}

} // namespace cufc
