// What threads add up over rounds is in memory where the loop over rounds is around that over
// threads:
//
//   for base: for x: v(x) += a(base + x)
//
// To read and to store it costs as much as an addition of what is in the cache. Of several rounds
// at a time, as long as all threads have so many, it is in a register:
//
//   for base in steps of four rounds: for x: for r in 0..3: v(x) += a(base + r*stride + x)
//
// The innermost loop is unrolled. Each thread does the same in the same order.
#include "codegen/cpu/several_rounds.h"
#include "codegen/branches.h"
#include "codegen/cpu/loop_versions.h"
#include "codegen/cpu/thread_values.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

namespace cufc {

using namespace llvm;

namespace {

constexpr size_t mostInstructions = 60; // of a round

void keepCounting(BasicBlock &header, BasicBlock &preheader, BasicBlock &latch,
                  BasicBlock &behind) {
  IRBuilder<> builder(&header, header.begin());
  PHINode *round = builder.CreatePHI(builder.getInt32Ty(), 2, "round");
  builder.SetInsertPoint(latch.getTerminator());
  Value *next = builder.CreateNUWAdd(round, builder.getInt32(1));
  round->addIncoming(builder.getInt32(0), &preheader);
  round->addIncoming(next, &latch);
  Instruction *end = builder.CreateCondBr(
      builder.CreateICmpNE(next, builder.getInt32(severalRounds)), &header, &behind);
  latch.back().eraseFromParent();
  LLVMContext &context = header.getContext();
  MDNode *id = MDNode::getDistinct(
      context, {nullptr, MDNode::get(context, MDString::get(context, "llvm.loop.unroll.full"))});
  id->replaceOperandWith(0, id);
  end->setMetadata(LLVMContext::MD_loop, id);
}

// What is looked up waits for memory, and lists of neighbours are short.
bool looksUp(const LoadInst &load, const Loop &inner) {
  SmallVector<const Value *, 8> parts{load.getPointerOperand()};
  while (!parts.empty()) {
    auto *part = dyn_cast<Instruction>(parts.pop_back_val());
    if (!part || !inner.contains(part) || isa<PHINode>(part))
      continue;
    if (isa<LoadInst>(part))
      return true;
    append_range(parts, part->operand_values());
  }
  return false;
}

} // namespace

bool gainsFromSeveralRounds(const ElementLoop &elements) {
  bool adds = false;
  for (const BasicBlock *block : elements.inner.blocks())
    for (const Instruction &instruction : *block) {
      auto *store = dyn_cast<StoreInst>(&instruction);
      adds |= store && isThreadValue(store->getPointerOperand());
      if (auto *load = dyn_cast<LoadInst>(&instruction); load && looksUp(*load, elements.inner))
        return false;
    }
  return adds && elements.inner.isInnermost() && instructionsOf(elements.inner) <= mostInstructions;
}

BasicBlock *copyForSeveralRounds(const ElementLoop &elements, Value &base, BasicBlock &preheader,
                                 BasicBlock &before, BasicBlock &next, LoopInfo &loops,
                                 DominatorTree &dominators) {
  ValueToValueMapTy map;
  SmallVector<BasicBlock *, 8> blocks;
  Loop *copy = cloneLoopWithPreheader(&preheader, &before, &elements.threads, map, ".rounds",
                                      &loops, &dominators, blocks);
  remapInstructionsInBlocks(blocks, map);
  auto blockOf = [&](BasicBlock *block) { return cast<BasicBlock>(map.lookup(block)); };
  BasicBlock *entry = blockOf(elements.inner.getLoopPreheader()),
             *latch = blockOf(elements.inner.getLoopLatch()),
             *header = blockOf(elements.inner.getHeader()),
             *behind = blockOf(elements.inner.getExitBlock());
  IRBuilder<> builder(copy->getHeader(), copy->getHeader()->getFirstInsertionPt());
  Value *offset = builder.CreateZExt(map.lookup(&elements.x), builder.getInt64Ty());
  Value *element = builder.CreateAdd(&base, offset, "", /*HasNUW=*/false, /*HasNSW=*/true);
  auto *index = cast<PHINode>(map.lookup(&elements.index));
  Value *narrowBase =
      IRBuilder<>(copy->getLoopPreheader()->getTerminator())
          .CreateTrunc(&base, index->getType(), "", /*IsNUW=*/false, /*IsNSW=*/true);
  index->setIncomingValueForBlock(entry, builder.CreateNSWAdd(narrowBase, map.lookup(&elements.x)));
  if (elements.guard)
    cast<ConditionalBranch>(map.lookup(static_cast<Value *>(elements.guard)))
        ->setCondition(builder.getTrue());
  else
    map.lookup(&elements.start)->replaceAllUsesWith(element);
  if (elements.count) {
    auto *count = cast<PHINode>(map.lookup(elements.count));
    count->replaceAllUsesWith(PoisonValue::get(count->getType())); // of what counts alone
    count->eraseFromParent();
  }
  keepCounting(*header, *entry, *latch, *behind);
  copy->getLoopLatch()->getTerminator()->replaceSuccessorWith(elements.threads.getExitBlock(),
                                                              &next);
  return copy->getLoopPreheader();
}

} // namespace cufc
