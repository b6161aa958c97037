// In code for blocks of one size (known_blocks.h) a guard leaves loops whose count is known no
// more:
//
//   do x = 0, min(16, n - first) - 1          first == 0, count == 16 ? do x = 0, 15
//     body                               ->                           : do x = 0, count - 1
//
// Most blocks are full, and loops of a known count are straight code.
#include "codegen/cpu/full_lines.h"
#include "codegen/cpu/known_blocks.h"
#include "codegen/cpu/loop_versions.h"
#include "codegen/cpu/thread_bounds.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace cufc {

using namespace llvm;

namespace {

constexpr const char *lineLengthMark = "cufc.line_length"; // on the branch that ends the loop

std::optional<uint32_t> lineLength(const Loop &threads) {
  const std::optional<uint32_t> length = knownLineLength(*threads.getHeader()->getParent());
  const MDNode *mark = threads.getLoopLatch()->getTerminator()->getMetadata(lineLengthMark);
  if (!length || !mark)
    return length;
  return static_cast<uint32_t>(mdconst::extract<ConstantInt>(mark->getOperand(0))->getZExtValue());
}

} // namespace

void markLineLength(Loop &threads, uint32_t length) {
  Instruction *branch = threads.getLoopLatch()->getTerminator();
  LLVMContext &context = branch->getContext();
  Constant *number = ConstantInt::get(Type::getInt32Ty(context), length);
  branch->setMetadata(lineLengthMark, MDNode::get(context, ConstantAsMetadata::get(number)));
}

bool divideFullLines(Loop &threads, LoopInfo &loops, DominatorTree &dominators) {
  constexpr size_t mostInstructions = 400; // of the loop, which is copied
  const std::optional<uint32_t> length = lineLength(threads);
  if (!length || *length >= longLine || !threads.isInnermost())
    return false;
  PlainThreadLoop plain = readThreadLoop(threads);
  if (!plain.x || instructionsOf(threads) > mostInstructions)
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
