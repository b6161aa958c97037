// A sorting network:
//
//   if (s(x) > s(other)) then        own = s(x) > s(other)
//     swap s(x), s(other)      =>    s(x), s(other) = merge(s(other), s(x), own), merge(s(x), ..
//   end if
//
// The processor would guess wrong every other time. Both places have been read, so they are there;
// one core runs the block, thread by thread, so nobody sees that what they hold is written once
// more. In vectors of several threads that would not be so, hence it is for places alone that do
// not go up from thread to thread.
#include "codegen/cpu/exchanged_values.h"
#include "codegen/branches.h"
#include "codegen/cpu/host_kernel_body.h"
#include "codegen/cpu/shared_atomics.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

namespace cufc {
namespace {

using namespace llvm;

constexpr size_t mostStores = 4;
constexpr size_t mostSteps = 16; // from the condition to what it compares

// The last load of a place in a block that nothing is written behind.
LoadInst *loadOf(const Value *address, BasicBlock &block) {
  for (Instruction &instruction : reverse(block)) {
    auto *load = dyn_cast<LoadInst>(&instruction);
    if (load && load->isSimple() && load->getPointerOperand() == address)
      return load;
    if (instruction.mayWriteToMemory())
      return nullptr;
  }
  return nullptr;
}

bool dependsOn(Value *condition, ArrayRef<LoadInst *> loads) {
  SetVector<Value *> steps;
  steps.insert(condition);
  for (size_t i = 0; i < steps.size() && steps.size() < mostSteps; ++i) {
    if (is_contained(loads, steps[i]))
      return true;
    if (auto *instruction = dyn_cast<Instruction>(steps[i]);
        instruction && !isa<PHINode, LoadInst>(instruction))
      steps.insert(instruction->op_begin(), instruction->op_end());
  }
  return false;
}

// Also what stays where it is.
bool goesUp(Value &address, Loop &threads, ScalarEvolution &evolution) {
  const SCEV *place = evolution.getSCEV(&address);
  return isa<SCEVAddRecExpr>(place) || evolution.isLoopInvariant(place, &threads);
}

bool storeAlways(BasicBlock &block, function_ref<bool(Value &)> mayStore) {
  auto *branch = conditionalBranch(block.getTerminator());
  if (!branch)
    return false;
  for (unsigned side : {0u, 1u}) {
    BasicBlock *then = branch->getSuccessor(side), *join = branch->getSuccessor(1 - side);
    if (then == join || then->getSinglePredecessor() != &block ||
        then->getSingleSuccessor() != join || isa<PHINode>(then->front()))
      continue;
    SmallVector<StoreInst *> stores;
    SmallVector<LoadInst *> loads;
    bool isPlain = true;
    for (Instruction &instruction : *then) {
      auto *store = dyn_cast<StoreInst>(&instruction);
      if (instruction.isTerminator())
        break;
      LoadInst *load = store && store->isSimple() && isInSharedMemory(store->getPointerOperand())
                           ? loadOf(store->getPointerOperand(), block)
                           : nullptr;
      isPlain &= load && load->getType() == store->getValueOperand()->getType();
      if (!isPlain)
        break;
      stores.push_back(store);
      loads.push_back(load);
    }
    if (!isPlain || stores.empty() || stores.size() > mostStores ||
        !dependsOn(branch->getCondition(), loads) ||
        none_of(stores, [&](StoreInst *store) { return mayStore(*store->getPointerOperand()); }))
      continue;
    IRBuilder<> builder(branch);
    for (auto [store, load] : zip(stores, loads)) {
      Value *value = store->getValueOperand();
      store->setOperand(0, side == 0 ? builder.CreateSelect(branch->getCondition(), value, load)
                                     : builder.CreateSelect(branch->getCondition(), load, value));
      store->moveBefore(branch->getIterator());
    }
    return true;
  }
  return false;
}

} // namespace

bool storeExchanged(Loop &threads, ScalarEvolution &evolution) {
  if (!threads.getHeader()->getParent()->hasFnAttribute(ownsSharedMemory))
    return false;
  bool changed = false;
  if (!threads.isInnermost())
    return false;
  for (BasicBlock *block : threads.blocks())
    changed |=
        storeAlways(*block, [&](Value &address) { return !goesUp(address, threads, evolution); });
  if (changed)
    addStringMetadataToLoop(&threads, "llvm.loop.vectorize.enable", 0);
  return changed;
}

void storeExchangedPairs(Loop &threads) {
  if (threads.getHeader()->getParent()->hasFnAttribute(ownsSharedMemory))
    for (BasicBlock *block : threads.blocks())
      storeAlways(*block, [](Value &) { return true; });
}

} // namespace cufc
