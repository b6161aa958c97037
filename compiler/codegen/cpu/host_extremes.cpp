// See host_extremes.h.
#include "codegen/cpu/host_extremes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

namespace cufc {

using namespace llvm;

void chooseExtremes(Module &module) {
  for (Function &function : module)
    for (Instruction &instruction : make_early_inc_range(instructions(function))) {
      auto *call = dyn_cast<IntrinsicInst>(&instruction);
      const bool isLeast = call && call->getIntrinsicID() == Intrinsic::minnum;
      if (!isLeast && !(call && call->getIntrinsicID() == Intrinsic::maxnum))
        continue;
      Value *a = call->getArgOperand(0), *b = call->getArgOperand(1);
      IRBuilder<> builder(call);
      Value *isFirst = isLeast ? builder.CreateFCmpOLT(a, b) : builder.CreateFCmpOGT(a, b);
      call->replaceAllUsesWith(builder.CreateSelect(isFirst, a, b));
      call->eraseFromParent();
    }
}

} // namespace cufc
