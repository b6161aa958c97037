// A loop over a known number of threads would be unrolled before anything makes vectors of it, and
// is unrolled behind that instead: if its threads are the lanes of a warp, or as LLVM sees fit. Of
// a line in several copies gdb takes the first for a breakpoint, which need not be the one that
// runs.
#include "codegen/cpu/known_loops.h"
#include "codegen/cpu/known_blocks.h"
#include "codegen/cpu/loop_versions.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

namespace cufc {

using namespace llvm;

namespace {

bool isForDebugger(const Function &function) {
  const DISubprogram *program = function.getSubprogram();
  return program && program->getUnit()->getEmissionKind() == DICompileUnit::FullDebug;
}

// What lanes give and take between operations of their warp is in registers once the loop is
// straight code with vectors.
void unrollVectorsOf(Loop &lanes) {
  LLVMContext &context = lanes.getHeader()->getContext();
  auto text = [&](StringRef words) { return MDString::get(context, words); };
  MDNode *full = MDNode::get(context, text("llvm.loop.unroll.full"));
  MDNode *then = MDNode::get(context, {text("llvm.loop.vectorize.followup_vectorized"), full});
  lanes.setLoopID(makePostTransformationMetadata(context, lanes.getLoopID(), {}, {then}));
}

// A row of a block may be one vector, and a few threads more: a loop of one round is straight code.
// What is left of threads one by one stays a loop.
void unrollShortVectorsOf(Loop &threads) {
  LLVMContext &context = threads.getHeader()->getContext();
  auto text = [&](StringRef words) { return MDString::get(context, words); };
  MDNode *no = MDNode::get(context, text("llvm.loop.unroll.runtime.disable"));
  MDNode *then = MDNode::get(context, {text("llvm.loop.vectorize.followup_vectorized"), no});
  MDNode *never = MDNode::get(context, text("llvm.loop.unroll.disable"));
  MDNode *later =
      MDNode::get(context, {text("llvm.loop.vectorize.followup_epilogue"), never, then});
  threads.setLoopID(
      makePostTransformationMetadata(context, threads.getLoopID(), {}, {then, later}));
}

} // namespace

PreservedAnalyses KnownLoopPass::run(Function &function, FunctionAnalysisManager &analyses) {
  const bool isForBlocks = function.hasFnAttribute(knownBlockMark); // others know lanes alone
  const bool isDebugged = isForDebugger(function);
  auto &evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
  for (Loop *threads : threadLoops(analyses.getResult<LoopAnalysis>(function))) {
    const bool isKnown = threads->isInnermost() && evolution.getSmallConstantTripCount(threads) > 1;
    const bool isOfLanes = isKnown && !isForBlocks && threads->getNumBlocks() == 1;
    if (!isDebugged && !isOfLanes && !(isKnown && isForBlocks))
      continue;
    if (isOfLanes && !isDebugged)
      unrollVectorsOf(*threads);
    else if (isKnown && isForBlocks && !isDebugged)
      unrollShortVectorsOf(*threads);
    addStringMetadataToLoop(threads, "llvm.loop.unroll.disable", 1);
  }
  return PreservedAnalyses::all();
}

} // namespace cufc
