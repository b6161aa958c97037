// By metadata of the loop and its accesses (LLVM language reference,
// "llvm.loop.parallel_accesses").
#include "codegen/independent_accesses.h"
#include "codegen/thread_values.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include <vector>

namespace cufc {

using namespace llvm;

namespace {

bool isOwnMemory(const Value *address) {
  return isa<AllocaInst>(getUnderlyingObject(address, 0)) && !isThreadValue(address);
}

} // namespace

void markIndependentAccesses(Loop &loop) {
  std::vector<Instruction *> accesses;
  for (BasicBlock *block : loop.blocks())
    for (Instruction &instruction : *block) {
      if (!instruction.mayReadOrWriteMemory() || isa<NoAliasScopeDeclInst>(instruction))
        continue;
      const Value *address = getLoadStorePointerOperand(&instruction);
      if (!address || instruction.isVolatile() || instruction.isAtomic() || isOwnMemory(address))
        return;
      accesses.push_back(&instruction);
    }
  LLVMContext &context = loop.getHeader()->getContext();
  MDNode *group = MDNode::getDistinct(context, {});
  for (Instruction *access : accesses)
    access->setMetadata(LLVMContext::MD_access_group, group);
  MDNode *parallel =
      MDNode::get(context, {MDString::get(context, "llvm.loop.parallel_accesses"), group});
  loop.setLoopID(makePostTransformationMetadata(context, loop.getLoopID(), {}, {parallel}));
}

MemoryLocation objectOf(const Instruction &access) {
  return MemoryLocation::getBeforeOrAfter(getLoadStorePointerOperand(&access),
                                          access.getAAMetadata());
}

} // namespace cufc
