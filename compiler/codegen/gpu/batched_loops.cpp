// See batched_loops.h.
#include "codegen/gpu/batched_loops.h"
#include "codegen/gpu/round_counts.h"
#include "codegen/gpu/spread_counters.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"

#include <optional>

namespace cufc {
namespace {

using namespace llvm;

// Products of matrices with vectors got 1.3 times as fast on an H200, sums of rows 1.13 times; sums
// over a grid with wide counters, slower, also of numbers of 32 bits.
// Those of one load are read in larger batches, so that as much is on its way: sums of rows by
// warps got 1.05 times as fast, sums over a grid slower. Larger bodies, such as a body's force on
// another, are unrolled as often as nvcc does it.
constexpr unsigned largeBatch = 16, mostOfLargeBatch = 8;
constexpr unsigned batch = 8, mostOfBatched = 24, smallBatch = 4, mostOfSmallBatch = 40;
constexpr unsigned mostOfUnrolled = 20, mostOfAlone = 50; // of LLVM's size
constexpr unsigned mostOfPairs = 120, mostOfLoadPairs = 90, mostOfMeetings = 100;
constexpr unsigned mostOfShort = 4, mostUnrolled = 128;
constexpr unsigned mostTrips = 64;   // of a loop of known count, which is unrolled in other ways
constexpr unsigned leastOfPairs = 8; // rounds; registers and the odd one cost more than two save
constexpr uint64_t sizeOfDivision = 8;

uint64_t sizeOf(const Instruction &instruction) {
  if (isa<PHINode, GetElementPtrInst, CastInst, DbgInfoIntrinsic>(instruction))
    return 0;
  return instruction.getOpcode() == Instruction::FDiv || instruction.isIntDivRem() ? sizeOfDivision
                                                                                   : 1;
}

// As LLVM counts it.
uint64_t sizeOf(const Loop &loop, const TargetTransformInfo &target) {
  constexpr unsigned sizeOfEnd = 2;
  const SmallPtrSet<const Value *, 1> none;
  return UnrollCostEstimator(&loop, target, none, sizeOfEnd).getRolledLoopSize();
}

// Whether it computes sines or their like of double precision: long chains of instructions, two of
// which are done in the time of one, and for large numbers a call that hardly ever happens.
bool reducesAngles(const Loop &loop) {
  uint64_t size = 0;
  bool calls = false;
  for (const BasicBlock *block : loop.blocks())
    for (const Instruction &instruction : *block) {
      auto *call = dyn_cast<CallInst>(&instruction);
      const Function *callee = call ? call->getCalledFunction() : nullptr;
      if (isa<StoreInst>(instruction) || instruction.isVolatile() || instruction.isAtomic() ||
          (call && (!callee || call->isConvergent())))
        return false;
      calls |= callee && !callee->isIntrinsic();
      size += sizeOf(instruction);
    }
  return calls && size <= mostOfPairs;
}

// Whether an address goes on by a stride that is not known, which each copy of it would keep.
bool hasUnknownStride(Value *address, const Loop &loop, ScalarEvolution &evolution) {
  auto *course = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(address));
  return course && course->getLoop() == &loop &&
         !isa<SCEVConstant>(course->getStepRecurrence(evolution));
}

// Whether it writes nothing and is small, but too large for LLVM to unroll as often as nvcc, as the
// draws of random points and what a ray meets: a fifth of such an iteration goes on to the next.
bool computesAlone(const Loop &loop, ScalarEvolution &evolution,
                   const TargetTransformInfo &target) {
  if (loop.getExitingBlock() != loop.getLoopLatch())
    return false;
  for (BasicBlock *block : loop.blocks())
    for (Instruction &instruction : *block) {
      auto *call = dyn_cast<CallInst>(&instruction);
      const Function *callee = call ? call->getCalledFunction() : nullptr;
      auto *load = dyn_cast<LoadInst>(&instruction);
      if (isa<StoreInst>(instruction) || instruction.isVolatile() || instruction.isAtomic() ||
          (call && (!callee || !callee->isIntrinsic() || call->isConvergent())) ||
          (load && (dependsOnGridSize(load->getPointerOperand()) ||
                    hasUnknownStride(load->getPointerOperand(), loop, evolution))))
        return false;
    }
  const uint64_t size = sizeOf(loop, target);
  return size > mostOfUnrolled && size <= mostOfAlone;
}

bool isShuffle(const CallInst &call) {
  const Function *callee = call.getCalledFunction();
  return callee && callee->getName().starts_with("llvm.nvvm.shfl.sync.");
}

// Whether threads meet in each of many iterations, as on the diagonals of a table: LLVM leaves the
// loop and ptxas makes as many copies as it has iterations, or none. If it is not known how many
// there are, only for shuffles, whose results are moved between registers else.
bool meetsOften(const Loop &loop, ScalarEvolution &evolution, const TargetTransformInfo &target) {
  const unsigned trips = evolution.getSmallConstantTripCount(&loop);
  if (!loop.isInnermost() || hasUnrollHint(loop) || loop.getExitingBlock() != loop.getLoopLatch() ||
      (trips != 0 && trips <= leastOfPairs))
    return false;
  bool meets = false, waits = false;
  for (const BasicBlock *block : loop.blocks())
    for (const Instruction &instruction : *block)
      if (auto *call = dyn_cast<CallInst>(&instruction); call && call->isConvergent()) {
        meets = true;
        waits |= !isShuffle(*call);
      }
  return meets && !(waits && trips == 0) && sizeOf(loop, target) <= mostOfMeetings;
}

// As that over the lines of a block, `do k = threadidx%z, 8, blockdim%z`.
bool hasFewRounds(const Loop &loop, ScalarEvolution &evolution) {
  const std::optional<uint64_t> most = mostRounds(loop, evolution);
  return most && *most <= leastOfPairs;
}

// How often to unroll a loop; 0: it is left to LLVM, 1: nobody shall.
unsigned batchOf(const Loop &loop, ScalarEvolution &evolution, const TargetTransformInfo &target) {
  unsigned trips = evolution.getSmallConstantTripCount(&loop);
  if (!loop.isInnermost() || hasUnrollHint(loop))
    return 0;
  if (trips != 0 && trips <= mostTrips)
    return trips > leastOfPairs && loop.getNumBlocks() != 1 &&
                   computesAlone(loop, evolution, target)
               ? smallBatch
               : 0;
  if (loop.getNumBlocks() != 1)
    return reducesAngles(loop) ? 2 : computesAlone(loop, evolution, target) ? smallBatch : 0;
  uint64_t size = 0, loads = 0;
  bool reducesOverGrid = false, countsWide = false, stores = false;
  for (PHINode &number : loop.getHeader()->phis())
    countsWide |= number.getType()->isIntegerTy(64);
  for (Instruction &instruction : *loop.getHeader()) {
    if (instruction.isVolatile() || instruction.isAtomic())
      return 0;
    stores |= isa<StoreInst>(instruction);
    auto *call = dyn_cast<CallInst>(&instruction);
    if (call && (!call->getCalledFunction() || !call->getCalledFunction()->isIntrinsic() ||
                 call->isConvergent()))
      return 0;
    auto *load = dyn_cast<LoadInst>(&instruction);
    loads += load != nullptr;
    reducesOverGrid |= load && dependsOnGridSize(load->getPointerOperand());
    size += sizeOf(instruction);
  }
  if (loads > 1 && size > mostOfSmallBatch && size <= mostOfLoadPairs)
    return hasFewRounds(loop, evolution) ? 1 : 2;
  if (loads == 0)
    return trips == 0 && computesAlone(loop, evolution, target) ? smallBatch : 0;
  if ((loads == 1 && reducesOverGrid && countsWide) || size > mostOfSmallBatch)
    return 0;
  if (loads == 1 && size <= mostOfLargeBatch && !stores && !reducesOverGrid)
    return largeBatch;
  return size <= mostOfBatched && !stores ? batch : smallBatch;
}

bool isSmall(const Loop &loop, uint64_t most) {
  uint64_t size = 0;
  for (const BasicBlock *block : loop.blocks())
    for (const Instruction &instruction : *block)
      size += sizeOf(instruction);
  return size <= most;
}

class Batches {
public:
  Batches(Function &function, FunctionAnalysisManager &analyses)
      : loops(analyses.getResult<LoopAnalysis>(function)),
        evolution(analyses.getResult<ScalarEvolutionAnalysis>(function)),
        dominators(analyses.getResult<DominatorTreeAnalysis>(function)),
        assumptions(analyses.getResult<AssumptionAnalysis>(function)),
        target(analyses.getResult<TargetIRAnalysis>(function)),
        remarks(analyses.getResult<OptimizationRemarkEmitterAnalysis>(function)),
        aliases(analyses.getResult<AAManager>(function)) {}

  bool run() {
    bool any = unrollShortLoops();
    any |= unrollMeetings();
    std::vector<std::pair<Loop *, unsigned>> found;
    for (Loop *loop : loops.getLoopsInPreorder())
      if (unsigned n = batchOf(*loop, evolution, target))
        found.emplace_back(loop, n);
    for (auto [loop, n] : found)
      if (n == 1)
        loop->setLoopAlreadyUnrolled();
      else
        any |= unroll(loop, n);
    return any;
  }

private:
  // Those of few rounds at most, as when a block reads a tile with its edges, the inner ones first.
  bool unrollShortLoops() {
    bool any = false;
    SmallVector<Loop *, 4> all = loops.getLoopsInPreorder();
    for (Loop *loop : reverse(all)) {
      const std::optional<uint64_t> most = mostRounds(*loop, evolution);
      if (!most || *most < 2 || *most > mostOfShort || hasUnrollHint(*loop) ||
          !isSmall(*loop, mostUnrolled / *most))
        continue;
      UnrollLoopOptions options{};
      options.Count = static_cast<unsigned>(*most);
      LoopUnrollResult result = UnrollLoop(loop, options, &loops, &evolution, &dominators,
                                           &assumptions, &target, &remarks,
                                           /*PreserveLCSSA=*/true, nullptr, &aliases);
      any |= result != LoopUnrollResult::Unmodified;
      if (result == LoopUnrollResult::PartiallyUnrolled)
        breakLoopBackedge(loop, dominators, evolution, loops, nullptr);
    }
    return any;
  }

  // An iteration after which the loop may end is by itself an exit, so nothing remains.
  bool unrollMeetings() {
    SmallVector<Loop *, 4> found;
    copy_if(loops.getLoopsInPreorder(), std::back_inserter(found),
            [&](Loop *loop) { return meetsOften(*loop, evolution, target); });
    for (Loop *loop : found) {
      UnrollLoopOptions options{};
      options.Count = smallBatch;
      if (UnrollLoop(loop, options, &loops, &evolution, &dominators, &assumptions, &target,
                     &remarks, /*PreserveLCSSA=*/true, nullptr,
                     &aliases) == LoopUnrollResult::PartiallyUnrolled)
        loop->setLoopAlreadyUnrolled();
    }
    return !found.empty();
  }

  // What remains of n iterations is fewer than n: at most one batch of half of it, and so on. Of a
  // small batch each is by itself, so that in the first ones counters are known: divisions by them
  // cost more than loads that are waited for.
  bool unroll(Loop *loop, unsigned n) {
    if (n == smallBatch)
      return batchesOf(loop, n, /*unrollRest=*/true).has_value();
    std::optional<Loop *> rest = batchesOf(loop, n, /*unrollRest=*/false);
    if (!rest)
      return false;
    while (*rest && n > 2) {
      n /= 2;
      Loop *half = *rest;
      std::optional<Loop *> next = batchesOf(half, n, /*unrollRest=*/false);
      if (!next)
        break;
      breakLoopBackedge(half, dominators, evolution, loops, nullptr);
      rest = next;
    }
    return true;
  }

  // Unrolls a loop n times; the loop of the iterations that remain, null if it is at most one or
  // `unrollRest` asks that there be none.
  std::optional<Loop *> batchesOf(Loop *loop, unsigned n, bool unrollRest) {
    constexpr unsigned budget = 4; // of instructions that compute the count, as LLVM's
    Loop *rest = nullptr;
    UnrollLoopOptions options{};
    options.Count = n;
    options.Runtime = options.AllowExpensiveTripCount = true;
    options.UnrollRemainder = unrollRest;
    options.SCEVExpansionBudget = budget;
    if (UnrollLoop(loop, options, &loops, &evolution, &dominators, &assumptions, &target, &remarks,
                   /*PreserveLCSSA=*/true, &rest, &aliases) != LoopUnrollResult::PartiallyUnrolled)
      return std::nullopt;
    loop->setLoopAlreadyUnrolled();
    if (rest)
      rest->setLoopAlreadyUnrolled();
    return rest;
  }

  LoopInfo &loops;
  ScalarEvolution &evolution;
  DominatorTree &dominators;
  AssumptionCache &assumptions;
  TargetTransformInfo &target;
  OptimizationRemarkEmitter &remarks;
  AAResults &aliases;
};

struct UnrollBatches : PassInfoMixin<UnrollBatches> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
    return Batches(function, analyses).run() ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }
};

} // namespace

bool hasUnrollHint(const Loop &loop) {
  return findOptionMDForLoop(&loop, "llvm.loop.unroll.full") ||
         findOptionMDForLoop(&loop, "llvm.loop.unroll.disable") ||
         findOptionMDForLoop(&loop, "llvm.loop.unroll.count") ||
         findOptionMDForLoop(&loop, "llvm.loop.unroll.enable");
}

void unrollInBatches(PassBuilder &builder) {
  builder.registerVectorizerStartEPCallback([](FunctionPassManager &passes, OptimizationLevel) {
    passes.addPass(LoopSimplifyPass());
    passes.addPass(LCSSAPass());
    passes.addPass(UnrollBatches());
  });
}

} // namespace cufc
