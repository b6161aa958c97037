//   d = 16
//   do while (d > 0)            =>    s = s + shfl_down(s, 16)
//     s = s + shfl_down(s, d)         s = s + shfl_down(s, 8)
//     d = d/2                         ...
//   end do
#include "codegen/cpu/lane_loops.h"
#include "codegen/cpu/loop_versions.h"
#include "codegen/cpu/sync_operations.h"
#include "codegen/gpu/batched_loops.h"
#include "codegen/pass_runner.h"
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

bool isOfWarp(const Instruction &instruction) {
  auto *call = dyn_cast<CallBase>(&instruction);
  if (!call)
    return false;
  const std::optional<SyncOperation> operation = syncOperation(*call);
  return operation && operation->kind > CUFRT_BARRIER_COUNT;
}

bool joinsLanes(const Loop &loop) {
  return instructionsOf(loop) <= mostInstructions &&
         any_of(loop.blocks(), [](const BasicBlock *block) { return any_of(*block, isOfWarp); });
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
