// In code for blocks of one size (known_blocks.h) a guard leaves loops whose count is known no
// more:
//
//   do x = 0, min(16, n - first) - 1          first == 0, count == 16 ? do x = 0, 15
//     body                               ->                           : do x = 0, count - 1
//
// Most blocks are full, and loops of a known count are straight code.
#include "codegen/full_lines.h"
#include "codegen/known_blocks.h"
#include "codegen/thread_bounds.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace cufc {

using namespace llvm;

bool divideFullLines(Loop &threads, LoopInfo &loops, DominatorTree &dominators) {
  constexpr size_t mostInstructions = 200; // of the loop, which is copied
  constexpr uint32_t longLine = 64;        // whose start and end take little of the time
  const std::optional<uint32_t> length = knownLineLength(*threads.getHeader()->getParent());
  if (!length || *length >= longLine || !threads.isInnermost())
    return false;
  size_t instructions = 0;
  for (const BasicBlock *block : threads.blocks())
    instructions += block->size();
  PlainThreadLoop plain = readThreadLoop(threads);
  if (!plain.x || instructions > mostInstructions)
    return false;
  Value *first = plain.first(), *end = plain.test->getOperand(1);
  IRBuilder<> builder(plain.preheader->getTerminator());
  Value *none = builder.getInt32(0), *all = builder.getInt32(*length);
  if ((isa<Constant>(first) && first != none) ||
      (isa<Constant>(end) && (end != all || first == none)))
    return false;
  BasicBlock *before = plain.preheader;
  BasicBlock *entry = SplitEdge(before, threads.getHeader(), &dominators, &loops);
  ValueToValueMapTy map;
  SmallVector<BasicBlock *, 8> made;
  Loop *full =
      cloneLoopWithPreheader(entry, before, &threads, map, ".full", &loops, &dominators, made);
  remapInstructionsInBlocks(made, map);
  BasicBlock *start = full->getLoopPreheader();
  cast<PHINode>(map.lookup(plain.x))->setIncomingValueForBlock(start, none);
  cast<ICmpInst>(map.lookup(plain.test))->setOperand(1, all);
  builder.SetInsertPoint(before->getTerminator());
  Value *isFull =
      builder.CreateAnd(builder.CreateICmpEQ(first, none), builder.CreateICmpEQ(end, all));
  builder.CreateCondBr(builder.CreateFreeze(isFull), start, entry);
  before->getTerminator()->eraseFromParent();
  return true;
}

} // namespace cufc
