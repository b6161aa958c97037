// One core runs all threads of a block, one after the other, and the blocks of other cores have
// shared memory of their own. So nobody sees the time between the parts of an operation.
#include "codegen/cpu/shared_atomics.h"
#include "codegen/cpu/host_kernel_body.h"
#include "cufrt/abi.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/LowerAtomic.h"

namespace cufc {

using namespace llvm;

bool isInSharedMemory(const Value *address) {
  auto *memory = dyn_cast<LoadInst>(getUnderlyingObject(address, 0));
  if (!memory)
    return false;
  APInt offset(64, 0);
  const Value *block = memory->getPointerOperand()->stripAndAccumulateConstantOffsets(
      memory->getDataLayout(), offset, /*AllowNonInbounds=*/true);
  return block == memory->getFunction()->getArg(0) && offset == offsetof(cufrt_block, shared);
}

void unlockSharedMemory(Module &module) {
  for (Function &function : module) {
    if (!function.hasFnAttribute(ownsSharedMemory))
      continue;
    for (Instruction &instruction : make_early_inc_range(instructions(function)))
      if (auto *update = dyn_cast<AtomicRMWInst>(&instruction)) {
        if (isInSharedMemory(update->getPointerOperand()) && !update->isVolatile())
          lowerAtomicRMWInst(update);
      } else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction)) {
        if (isInSharedMemory(exchange->getPointerOperand()) && !exchange->isVolatile())
          lowerAtomicCmpXchgInst(exchange);
      }
  }
}

} // namespace cufc
