//   for x below n: body(x)
//
// becomes
//
//   for base below n in steps of 256: for x below min(256, n - base): body(base + x)
//
// A row of blocks (CUFRT_BLOCK_ROWS) may have many thousand threads.
#include "codegen/cpu/thread_strips.h"
#include "codegen/branches.h"
#include "codegen/cpu/thread_bounds.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace cufc {
namespace {

using namespace llvm;
using namespace llvm::PatternMatch;

// The blocks of the loop with one more around it.
void addLoopAround(Loop &threads, BasicBlock &head, BasicBlock &entry, BasicBlock &next,
                   LoopInfo &loops) {
  Loop *around = loops.AllocateLoop();
  if (Loop *parent = threads.getParentLoop())
    parent->replaceChildLoopWith(&threads, around);
  else
    loops.changeTopLevelLoop(&threads, around);
  around->addChildLoop(&threads);
  for (BasicBlock *block : {&head, &entry, &next}) {
    around->addBlockEntry(block);
    loops.changeLoopFor(block, around);
  }
  for (BasicBlock *block : threads.blocks())
    around->addBlockEntry(block);
}

} // namespace

bool canLimitThreads(Loop &threads) {
  const PlainThreadLoop plain = readThreadLoop(threads);
  return plain.x && match(plain.first(), m_Zero()) && !isa<PHINode>(plain.exit->front()) &&
         threads.isLoopInvariant(plain.test->getOperand(1));
}

bool limitThreads(Loop &threads, uint64_t most, LoopInfo &loops, DominatorTree &dominators,
                  ScalarEvolution &evolution) {
  const PlainThreadLoop plain = readThreadLoop(threads);
  Value *size = plain.test->getOperand(1);
  if (evolution.getUnsignedRangeMax(evolution.getSCEV(size)).ule(most))
    return false;
  BasicBlock *head = SplitEdge(plain.preheader, threads.getHeader(), &dominators, &loops);
  BasicBlock *entry = SplitEdge(head, threads.getHeader(), &dominators, &loops);
  SplitEdge(plain.latch, plain.exit, &dominators, &loops);
  BasicBlock *next = plain.latch->getTerminator()->getSuccessor(1);
  BasicBlock *exit = next->getSingleSuccessor();
  IRBuilder<> builder(head->getTerminator());
  ConstantInt *limit = builder.getInt32(static_cast<uint32_t>(most));
  PHINode *base = builder.CreatePHI(plain.x->getType(), 2, "base");
  base->addIncoming(builder.getInt32(0), plain.preheader);
  Value *left = builder.CreateSub(size, base, "", /*HasNUW=*/true, /*HasNSW=*/true);
  plain.setEnd(builder.CreateBinaryIntrinsic(Intrinsic::umin, left, limit));

  builder.SetInsertPoint(next->getTerminator());
  Value *further = builder.CreateNSWAdd(base, limit);
  builder.CreateCondBr(builder.CreateICmpSLT(further, size), head, exit);
  next->getTerminator()->eraseFromParent();
  base->addIncoming(further, next);

  BasicBlock *header = threads.getHeader();
  builder.SetInsertPoint(header, header->getFirstInsertionPt());
  auto *x = cast<Instruction>(builder.CreateNSWAdd(base, plain.x));
  auto *end = cast<Instruction>(plain.test->getOperand(0));
  Instruction *step = end->clone();
  step->insertBefore(plain.test->getIterator());
  plain.test->setOperand(0, step);
  plain.x->setIncomingValueForBlock(plain.latch, step);
  plain.x->replaceUsesWithIf(
      x, [&](const Use &use) { return use.getUser() != x && use.getUser() != step; });
  addLoopAround(threads, *head, *entry, *next, loops);
  return true;
}

} // namespace cufc
