// Which arrays are contiguous is read from the strides in their descriptors before the loop.
#include "codegen/loop_versions.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

namespace cufc {
namespace {

using namespace llvm;

class ContiguousLoop {
public:
  ContiguousLoop(Loop &loop, LoopInfo &loops, DominatorTree &dominators, ScalarEvolution &evolution)
      : loop(loop), loops(loops), dominators(dominators), evolution(evolution) {}

  bool run() {
    BasicBlock *before = loop.getLoopPreheader(), *exit = loop.getExitBlock();
    if (!before || !exit || !loop.getExitingBlock() || !loop.isLCSSAForm(dominators) ||
        !loop.isInnermost() || !findStrides())
      return false;
    BasicBlock *preheader = SplitEdge(before, loop.getHeader(), &dominators, &loops);
    BasicBlock *copy = copyAsWritten(loop, preheader, before, loops, dominators);
    Instruction *end = before->getTerminator();
    IRBuilder<> builder(end);
    Value *contiguous = builder.getTrue();
    for (auto [stride, bytes] : strides) {
      Value *known = ConstantInt::get(stride->getType(), bytes);
      contiguous = builder.CreateAnd(contiguous, builder.CreateICmpEQ(stride, known));
      stride->replaceUsesWithIf(known, [&](Use &use) {
        auto *user = dyn_cast<Instruction>(use.getUser());
        return user && loop.contains(user);
      });
    }
    builder.CreateCondBr(contiguous, preheader, copy);
    end->eraseFromParent();
    return true;
  }

private:
  // The distance of neighbours in the first dimension (flang's CFI_cdesc_t: dim[0].sm).
  static bool isFirstStride(Value *value) {
    constexpr int64_t firstStride = 40;
    auto *load = dyn_cast<LoadInst>(value);
    if (!load)
      return false;
    APInt offset(64, 0);
    load->getPointerOperand()->stripAndAccumulateConstantOffsets(load->getDataLayout(), offset,
                                                                 /*AllowNonInbounds=*/true);
    return offset == firstStride;
  }

  bool findStrides() {
    for (BasicBlock *block : loop.blocks())
      for (Instruction &instruction : *block) {
        Value *address = getLoadStorePointerOperand(&instruction);
        auto *sum = address ? dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(address)) : nullptr;
        if (!sum || sum->getLoop() != &loop || !sum->isAffine())
          continue;
        auto *step = dyn_cast<SCEVUnknown>(sum->getStepRecurrence(evolution));
        if (!step || !isFirstStride(step->getValue()))
          continue;
        uint64_t bytes =
            loop.getHeader()->getDataLayout().getTypeStoreSize(getLoadStoreType(&instruction));
        auto [found, isNew] = strides.try_emplace(step->getValue(), bytes);
        if (!isNew && found->second != bytes)
          return false;
      }
    return !strides.empty();
  }

  Loop &loop;
  LoopInfo &loops;
  DominatorTree &dominators;
  ScalarEvolution &evolution;
  MapVector<Value *, uint64_t> strides;
};

// What the loop leaves behind, of its copy.
void addResults(PHINode &result, const Loop &loop, const ValueToValueMapTy &map) {
  for (unsigned i = 0, count = result.getNumIncomingValues(); i < count; ++i) {
    BasicBlock *from = result.getIncomingBlock(i);
    if (!loop.contains(from))
      continue;
    Value *copy = map.lookup(result.getIncomingValue(i));
    result.addIncoming(copy ? copy : result.getIncomingValue(i),
                       cast<BasicBlock>(map.lookup(from)));
  }
}

} // namespace

bool isThreadLoop(const Loop &loop) {
  BasicBlock *latch = loop.getLoopLatch();
  return latch && latch->getTerminator()->getMetadata(threadLoopMark);
}

std::vector<Loop *> threadLoops(LoopInfo &loops) {
  std::vector<Loop *> marked;
  for (Loop *loop : loops.getLoopsInPreorder())
    if (isThreadLoop(*loop))
      marked.push_back(loop);
  return marked;
}

const SCEV *threadStep(Value &address, const Loop &threads, ScalarEvolution &evolution) {
  const SCEV *value = evolution.getSCEV(&address);
  while (auto *sum = dyn_cast<SCEVAddRecExpr>(value)) {
    if (sum->getLoop() == &threads)
      return sum->getStepRecurrence(evolution);
    value = sum->getStart();
  }
  return nullptr;
}

BasicBlock *copyAsWritten(Loop &loop, BasicBlock *preheader, BasicBlock *before, LoopInfo &loops,
                          DominatorTree &dominators) {
  ValueToValueMapTy map;
  SmallVector<BasicBlock *, 8> blocks;
  Loop *copy = cloneLoopWithPreheader(preheader, before, &loop, map, ".written", &loops,
                                      &dominators, blocks);
  remapInstructionsInBlocks(blocks, map);
  for (PHINode &result : loop.getUniqueExitBlock()->phis())
    addResults(result, loop, map);
  addStringMetadataToLoop(copy, "llvm.loop.vectorize.enable", 0);
  addStringMetadataToLoop(copy, "llvm.loop.unroll.disable", 1);
  copy->getLoopLatch()->getTerminator()->setMetadata(threadLoopMark, nullptr);
  return copy->getLoopPreheader();
}

bool versionForContiguousArrays(Loop &loop, LoopInfo &loops, DominatorTree &dominators,
                                ScalarEvolution &evolution) {
  return ContiguousLoop(loop, loops, dominators, evolution).run();
}

} // namespace cufc
