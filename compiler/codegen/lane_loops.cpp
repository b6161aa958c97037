//   d = 16
//   do while (d > 0)            =>    s = s + shfl_down(s, 16)
//     s = s + shfl_down(s, d)         s = s + shfl_down(s, 8)
//     d = d/2                         ...
//   end do
#include "codegen/lane_loops.h"
#include "codegen/batched_loops.h"
#include "codegen/pass_runner.h"
#include "codegen/sync_operations.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopUnrollPass.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

namespace cufc {
namespace {

using namespace llvm;

constexpr unsigned mostTrips = 8;
constexpr size_t mostInstructions = 100; // of an iteration

bool isOfBlock(cufrt_sync kind) { return kind <= CUFRT_BARRIER_COUNT; }

bool joinsLanes(const Loop &loop) {
  size_t instructions = 0;
  bool joins = false;
  for (const BasicBlock *block : loop.blocks())
    for (const Instruction &instruction : *block) {
      ++instructions;
      if (auto *call = dyn_cast<CallBase>(&instruction))
        if (std::optional<SyncOperation> operation = syncOperation(*call))
          joins |= !isOfBlock(operation->kind);
    }
  return joins && instructions <= mostInstructions;
}

struct ChooseLaneLoops : PassInfoMixin<ChooseLaneLoops> {
  PreservedAnalyses run(Loop &loop, LoopAnalysisManager &, LoopStandardAnalysisResults &results,
                        LPMUpdater &) {
    const unsigned trips = results.SE.getSmallConstantTripCount(&loop);
    if (loop.isInnermost() && trips > 1 && trips <= mostTrips && !hasUnrollHint(loop) &&
        joinsLanes(loop))
      addStringMetadataToLoop(&loop, "llvm.loop.unroll.full", 1);
    return PreservedAnalyses::all();
  }
};

} // namespace

void unrollLaneLoops(Module &module) {
  runPasses(module, nullptr, {}, [&](PassBuilder &) {
    constexpr int asUsual = 2;
    LoopPassManager loops;
    loops.addPass(ChooseLaneLoops());
    loops.addPass(LoopFullUnrollPass(asUsual, /*OnlyWhenForced=*/true));
    FunctionPassManager functions;
    functions.addPass(createFunctionToLoopPassAdaptor(std::move(loops)));
    functions.addPass(EarlyCSEPass());
    functions.addPass(SimplifyCFGPass());
    ModulePassManager passes;
    passes.addPass(createModuleToFunctionPassAdaptor(std::move(functions)));
    return passes;
  });
}

} // namespace cufc
