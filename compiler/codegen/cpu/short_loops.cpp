//   for x: do d = -1, 1: s = s + t(x + d)   =>   for x: s = s + t(x - 1); s = s + t(x); ...
//
// LLVM would do so later. But what gives a loop over threads its shape, its bounds, versions for
// contiguous arrays and full lines, asks whether it is the innermost one.
#include "codegen/cpu/short_loops.h"
#include "codegen/cpu/known_blocks.h"
#include "codegen/cpu/loop_versions.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"

namespace cufc {
namespace {

using namespace llvm;

constexpr unsigned mostRounds = 9;
constexpr size_t mostInstructions = 300; // that become of it, without subscripts

// Subscripts are numbers then, or sums with them, and so is what tables of constants say.
bool remains(const Instruction &instruction) {
  if (auto *load = dyn_cast<LoadInst>(&instruction); load && readsTable(*load))
    return false;
  return instruction.mayReadOrWriteMemory() ||
         (instruction.getType()->isFPOrFPVectorTy() && !isa<PHINode>(instruction));
}

// What becomes of a loop when it is unrolled, with those in it; none if one is long.
std::optional<size_t> sizeOf(const Loop &loop, const LoopInfo &loops, ScalarEvolution &evolution) {
  const unsigned times = evolution.getSmallConstantTripCount(&loop);
  const unsigned rounds = loop.getExitingBlock() == loop.getHeader() ? times - 1 : times;
  if (times == 0 || rounds > mostRounds)
    return std::nullopt;
  size_t once = 0;
  for (BasicBlock *block : loop.blocks())
    if (loops.getLoopFor(block) == &loop)
      once += static_cast<size_t>(count_if(*block, remains));
  for (const Loop *inner : loop.getSubLoops()) {
    std::optional<size_t> size = sizeOf(*inner, loops, evolution);
    if (!size)
      return std::nullopt;
    once += *size;
  }
  return once * rounds;
}

// Whether threads that lie side by side access what does, or the same.
bool isOfNeighbours(Instruction &access, const Loop &threads, ScalarEvolution &evolution) {
  Value *address = getLoadStorePointerOperand(&access);
  if (!address)
    return !access.mayReadOrWriteMemory();
  const DataLayout &layout = access.getDataLayout();
  const auto size =
      static_cast<int64_t>(layout.getTypeStoreSize(getLoadStoreType(&access)).getFixedValue());
  std::optional<int64_t> bytes = threadDistance(*evolution.getSCEV(address), threads, evolution);
  return bytes && (*bytes == 0 || *bytes == size);
}

// All loops in one over threads, or none: others stay as they are. Where threads access what lies
// anywhere, LLVM would make vectors of single elements.
bool isForUnrolling(const Loop &threads, const LoopInfo &loops, ScalarEvolution &evolution) {
  size_t sum = 0;
  for (const Loop *loop : threads.getSubLoops()) {
    std::optional<size_t> size = sizeOf(*loop, loops, evolution);
    if (!size || !all_of(loop->blocks(), [&](BasicBlock *block) {
          return all_of(*block, [&](Instruction &instruction) {
            return isOfNeighbours(instruction, threads, evolution);
          });
        }))
      return false;
    sum += *size;
  }
  return sum > 0 && sum <= mostInstructions;
}

// Completely.
void unroll(Loop &loop, Function &function, FunctionAnalysisManager &analyses) {
  auto &evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
  UnrollLoopOptions options{};
  options.Count = evolution.getSmallConstantMaxTripCount(&loop);
  if (loop.isLoopSimplifyForm() && options.Count > 0)
    UnrollLoop(&loop, options, &analyses.getResult<LoopAnalysis>(function), &evolution,
               &analyses.getResult<DominatorTreeAnalysis>(function),
               &analyses.getResult<AssumptionAnalysis>(function),
               &analyses.getResult<TargetIRAnalysis>(function),
               &analyses.getResult<OptimizationRemarkEmitterAnalysis>(function),
               /*PreserveLCSSA=*/true);
}

// A loop that is left from its header comes there once more.
bool hasSingleRound(const Loop &loop, ScalarEvolution &evolution) {
  const unsigned times = evolution.getSmallConstantMaxTripCount(&loop);
  return times == 1 || (times == 2 && loop.getExitingBlock() == loop.getHeader() &&
                        loop.getExitingBlock() != loop.getLoopLatch());
}

struct ShortLoopPass : PassInfoMixin<ShortLoopPass> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
    auto &loops = analyses.getResult<LoopAnalysis>(function);
    auto &evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
    SmallVector<Loop *> chosen; // inner ones behind those around them
    for (Loop *threads : threadLoops(loops))
      if (isForUnrolling(*threads, loops, evolution))
        append_range(chosen, drop_begin(threads->getLoopsInPreorder()));
    for (Loop *loop : reverse(chosen))
      unroll(*loop, function, analyses);
    return chosen.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
  }
};

// Of other loops than those over x.
struct SingleRoundPass : PassInfoMixin<SingleRoundPass> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
    auto &loops = analyses.getResult<LoopAnalysis>(function);
    auto &evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
    SmallVector<Loop *> single;
    for (Loop *loop : loops.getLoopsInPreorder())
      if (!isThreadLoop(*loop) && hasSingleRound(*loop, evolution))
        single.push_back(loop);
    for (Loop *loop : reverse(single))
      unroll(*loop, function, analyses);
    return single.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
  }
};

struct ForKnownBlocks : PassInfoMixin<ForKnownBlocks> {
  explicit ForKnownBlocks(FunctionPassManager passes) : passes(std::move(passes)) {}

  PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
    return function.hasFnAttribute(knownBlockMark) ? passes.run(function, analyses)
                                                   : PreservedAnalyses::all();
  }

  FunctionPassManager passes;
};

} // namespace

void addUnrolling(FunctionPassManager &passes) {
  passes.addPass(LoopSimplifyPass());
  passes.addPass(LCSSAPass());
  passes.addPass(ShortLoopPass());
  passes.addPass(SimplifyCFGPass());
  passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  passes.addPass(SROAPass(SROAOptions::ModifyCFG)); // arrays of which all subscripts are numbers
  passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
}

void addSingleRounds(FunctionPassManager &passes) {
  FunctionPassManager single;
  single.addPass(EarlyCSEPass()); // counts that are numbers
  single.addPass(LoopSimplifyPass());
  single.addPass(LCSSAPass());
  single.addPass(SingleRoundPass());
  single.addPass(SimplifyCFGPass());
  single.addPass(EarlyCSEPass());
  single.addPass(LoopSimplifyPass());
  passes.addPass(ForKnownBlocks(std::move(single)));
}

} // namespace cufc
