//   for x: s = 0; for k: s += a(x,k)*b(k); c(x) = s
//
// becomes
//
//   for x in steps of 8: s0..s7 = 0; for k: s0 += a(x,k)*b(k) .. s7 += a(x+7,k)*b(k); c(x) = s0 ..
//
// which is LLVM's "unroll and jam"; its SLP vectoriser then makes vectors of s0 to s7. Each thread
// computes what it did in the order in which it did. LLVM would have to prove that iterations over
// x are independent; threads of a block that do not synchronise are (CUDA C++ programming guide,
// "Thread Hierarchy"), apart from memory of their own, of which there must be none here.
#include "codegen/cpu/thread_jam.h"
#include "codegen/branches.h"
#include "codegen/cpu/known_blocks.h"
#include "codegen/cpu/loop_versions.h"
#include "codegen/cpu/thread_bounds.h"
#include "codegen/cpu/thread_values.h"
#include "codegen/cpu/vector_math.h"
#include "codegen/cpu/wide_subscripts.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopRotation.h"
#include "llvm/Transforms/Scalar/SimpleLoopUnswitch.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"

namespace cufc {
namespace {

using namespace llvm;

constexpr unsigned vectorsAtATime = 4, vectorBytes = 32; // as many as hide the time of an addition,
constexpr unsigned mostVectors = 8; // and more of what lies together, where registers are left:
constexpr unsigned mostLongVectors = 16; // memory likes long rows
constexpr unsigned fewThreads = 8;       // of what lies apart, which become no vectors
constexpr uint64_t mostJammed = 4096;    // instructions that become of a loop at one width
constexpr size_t mostInstructions = 640; // of the loop, before it is repeated

constexpr uint64_t mostRounds = 32;     // of a loop that is unrolled completely instead,
constexpr uint64_t mostUnrolled = 2048; // and the instructions that become of it

bool hasOwnMemory(Function &function) {
  return any_of(instructions(function),
                [](Instruction &i) { return isa<AllocaInst>(i) && !isThreadValue(&i); });
}

bool mayRunTogether(const Instruction &instruction) {
  if (isa<DbgInfoIntrinsic, NoAliasScopeDeclInst>(instruction))
    return true;
  if (isa<LoadInst, StoreInst>(instruction))
    return !instruction.isVolatile() && !instruction.isAtomic();
  return !instruction.mayReadOrWriteMemory() && !instruction.mayThrow() &&
         instruction.willReturn() && !instruction.getType()->isTokenTy();
}

// The blocks that all iterations go through behind their loop.
SmallPtrSet<const BasicBlock *, 4> blocksBehind(const Loop &threads, const Loop &inner) {
  SmallPtrSet<const BasicBlock *, 4> behind;
  for (const BasicBlock *block = inner.getExitBlock();
       block && threads.contains(block) && behind.insert(block).second;)
    block = block == threads.getLoopLatch() ? nullptr : block->getUniqueSuccessor();
  return behind;
}

// What the iterations of a chunk combine, such as a sum, where each does so behind its loop.
std::optional<SmallVector<PHINode *, 2>> combinedBehind(Loop &threads, const Loop &inner,
                                                        ScalarEvolution &evolution) {
  const auto behind = blocksBehind(threads, inner);
  auto isBehind = [&](const User *user) {
    return behind.contains(cast<Instruction>(user)->getParent());
  };
  SmallVector<PHINode *, 2> combined;
  bool counts = false;
  for (PHINode &phi : threads.getHeader()->phis()) {
    if (!counts && evolution.isSCEVable(phi.getType()) &&
        isa<SCEVAddRecExpr>(evolution.getSCEV(&phi))) {
      counts = true;
      continue;
    }
    auto *next = dyn_cast<Instruction>(phi.getIncomingValueForBlock(threads.getLoopLatch()));
    if (!next || isa<PHINode>(next) || !isBehind(next) || !all_of(phi.users(), isBehind))
      return std::nullopt;
    combined.push_back(&phi);
  }
  return combined;
}

// The loop in a thread loop that runs equally often for all threads; null if there is another.
Loop *jammableLoop(Loop &threads, ScalarEvolution &evolution) {
  if (threads.getSubLoops().size() != 1 || !threads.getLoopLatch())
    return nullptr;
  Loop *inner = threads.getSubLoops().front();
  if (!combinedBehind(threads, *inner, evolution))
    return nullptr;
  if (!inner->isInnermost() || !inner->getExitingBlock())
    return nullptr;
  const SCEV *count = evolution.getBackedgeTakenCount(inner);
  if (isa<SCEVCouldNotCompute>(count) || !evolution.isLoopInvariant(count, &threads))
    return nullptr;
  size_t instructions = 0;
  for (BasicBlock *block : threads.blocks())
    for (Instruction &instruction : *block)
      if (!mayRunTogether(instruction) || ++instructions > mostInstructions)
        return nullptr;
  return inner;
}

// Before the inner loop all ways lead to it, behind it all lead to the end.
bool leadsThrough(const Loop &threads, const Loop &inner, const DominatorTree &dominators) {
  for (const BasicBlock *block : threads.blocks()) {
    if (inner.contains(block))
      continue;
    if (dominators.dominates(inner.getLoopLatch(), block)) {
      if (block != threads.getLoopLatch() && !block->getUniqueSuccessor())
        return false;
    } else if (!block->getUniqueSuccessor()) {
      return false;
    }
  }
  return inner.getNumBlocks() == 1;
}

// A short loop leaves a loop over the threads alone, which the loop vectoriser takes for blocks of
// all sizes.
bool becomesStraight(const Loop &inner, ScalarEvolution &evolution) {
  auto *rounds = dyn_cast<SCEVConstant>(evolution.getBackedgeTakenCount(&inner));
  if (!rounds || rounds->getAPInt().uge(mostRounds))
    return false;
  return instructionsOf(inner) * (rounds->getAPInt().getZExtValue() + 1) <= mostUnrolled;
}

// Numbers that each thread needs throughout the inner loop.
size_t valuesOfThread(const Loop &threads, const Loop &inner) {
  SmallPtrSet<const Value *, 8> values;
  for (const BasicBlock *block : inner.blocks())
    for (const Instruction &instruction : *block) {
      if (isa<PHINode>(instruction) && block == inner.getHeader() &&
          instruction.getType()->isFloatingPointTy())
        values.insert(&instruction);
      for (const Value *operand : instruction.operands())
        if (auto *other = dyn_cast<Instruction>(operand);
            other && other->getType()->isFloatingPointTy() && threads.contains(other) &&
            !inner.contains(other) && !isa<PHINode>(instruction))
          values.insert(other);
    }
  return values.size();
}

// Whether most of what the inner loop accesses lies side by side for threads that do.
bool isOfNeighbours(const Loop &threads, const Loop &inner, ScalarEvolution &evolution) {
  size_t neighbours = 0, others = 0;
  for (BasicBlock *block : inner.blocks())
    for (Instruction &instruction : *block)
      if (Value *address = getLoadStorePointerOperand(&instruction))
        if (const SCEV *step = threadStep(*address, threads, evolution)) {
          auto *number = dyn_cast<SCEVConstant>(step);
          const bool isNext =
              number && number->getAPInt() == block->getDataLayout()
                                                  .getTypeStoreSize(getLoadStoreType(&instruction))
                                                  .getFixedValue();
          ++(isNext ? neighbours : others);
        }
  return neighbours >= others;
}

// As many threads as fill the vectors with what the loop reads.
unsigned threadsAtATime(const Loop &threads, const Loop &inner, unsigned mostVectors) {
  uint64_t bytes = 0;
  for (const BasicBlock *block : inner.blocks())
    for (const Instruction &instruction : *block)
      if (getLoadStorePointerOperand(&instruction))
        bytes = std::max<uint64_t>(
            bytes, block->getDataLayout().getTypeStoreSize(getLoadStoreType(&instruction)));
  bool isUsual = bytes == 4 || bytes == 8;
  unsigned vectors = valuesOfThread(threads, inner) <= 1 ? mostVectors : vectorsAtATime;
  return isUsual ? vectors * vectorBytes / static_cast<unsigned>(bytes) : 0;
}

// Threads whose calls of an elementary function are one call; 0 if the loop has none that has
// vector functions. Of several vectors LLVM makes none then, as the calls of one lie between those
// of the others until it has changed them all.
unsigned threadsOfCall(const Loop &inner, const TargetMachine &host) {
  unsigned threads = 0;
  for (const BasicBlock *block : inner.blocks())
    for (const Instruction &instruction : *block)
      if (auto *call = dyn_cast<CallInst>(&instruction))
        if (const unsigned bits = vectorMathBits(*call, host)) {
          const unsigned lanes = bits / call->getType()->getScalarSizeInBits();
          threads = threads ? std::min(threads, lanes) : lanes;
        }
  return threads;
}

std::vector<Loop *> siblingsOf(const Loop &loop, const LoopInfo &loops) {
  const Loop *parent = loop.getParentLoop();
  return parent ? parent->getSubLoops() : loops.getTopLevelLoops();
}

// The one that has come beside a loop; null if none has. LLVM 22 does not always say what remains.
Loop *siblingBeside(ArrayRef<Loop *> before, const Loop &loop, const LoopInfo &loops) {
  for (Loop *sibling : siblingsOf(loop, loops))
    if (!is_contained(before, sibling))
      return sibling;
  return nullptr;
}

// From 0 to a number that stands for itself: LLVM unrolls only where it finds it cheap to compute
// how often, and bounds on both sides are not; where it knows how often, it does not jam.
void countFromZero(Loop &loop) {
  PlainThreadLoop plain = readThreadLoop(loop);
  if (!plain.x)
    return;
  IRBuilder<> builder(plain.preheader->getTerminator());
  Value *first = plain.first();
  if (isa<Constant>(first)) {
    if (isa<Constant>(plain.test->getOperand(1)))
      plain.setEnd(builder.CreateFreeze(plain.test->getOperand(1)));
    return;
  }
  Value *count = builder.CreateFreeze(builder.CreateSub(plain.test->getOperand(1), first));
  plain.addToX(*first, /*hasNoUnsignedWrap=*/false);
  plain.setFirst(builder.getInt32(0));
  plain.setEnd(count);
}

// By `count` threads, and what remains by half of them, and so on: blocks may have few in a row.
bool jam(Loop &threads, unsigned count, unsigned least, Function &function,
         FunctionAnalysisManager &analyses) {
  auto &loops = analyses.getResult<LoopAnalysis>(function);
  auto &dominators = analyses.getResult<DominatorTreeAnalysis>(function);
  const size_t instructions = instructionsOf(threads);
  bool changed = false;
  for (Loop *rest = &threads; rest && count > least; count /= 2) {
    if (count * instructions > mostJammed)
      continue;
    if (rest->getSubLoops().size() != 1 || !rest->isLoopSimplifyForm() ||
        !rest->getSubLoops().front()->isLoopSimplifyForm() ||
        !rest->isRecursivelyLCSSAForm(dominators, loops))
      break;
    const std::vector<Loop *> before = siblingsOf(*rest, loops);
    LoopUnrollResult result = UnrollAndJamLoop(
        rest, count, 0, 1, false, &loops, &analyses.getResult<ScalarEvolutionAnalysis>(function),
        &dominators, &analyses.getResult<AssumptionAnalysis>(function),
        &analyses.getResult<TargetIRAnalysis>(function),
        &analyses.getResult<OptimizationRemarkEmitterAnalysis>(function));
    if (result == LoopUnrollResult::Unmodified)
      break;
    changed = true;
    rest = siblingBeside(before, *rest, loops);
  }
  return changed;
}

// LLVM jams no loop that carries numbers, so that those are in memory meanwhile.
std::vector<AllocaInst *> storeCombined(const Loop &threads, const Loop &inner,
                                        ArrayRef<PHINode *> combined) {
  std::vector<AllocaInst *> memory;
  BasicBlock &entry = threads.getHeader()->getParent()->getEntryBlock();
  BasicBlock *before = threads.getLoopPreheader(), *latch = threads.getLoopLatch();
  for (PHINode *phi : combined) {
    IRBuilder<> builder(&entry, entry.getFirstInsertionPt());
    AllocaInst *place = memory.emplace_back(builder.CreateAlloca(phi->getType()));
    builder.SetInsertPoint(before->getTerminator());
    builder.CreateStore(phi->getIncomingValueForBlock(before), place);
    auto *next = cast<Instruction>(phi->getIncomingValueForBlock(latch));
    builder.SetInsertPoint(next->getNextNode());
    builder.CreateStore(next, place);
    builder.SetInsertPoint(&*inner.getExitBlock()->getFirstInsertionPt());
    phi->replaceAllUsesWith(builder.CreateLoad(phi->getType(), place));
    for (Use &use : make_early_inc_range(next->uses()))
      if (auto *user = cast<Instruction>(use.getUser()); !threads.contains(user)) {
        auto *behind = dyn_cast<PHINode>(user);
        builder.SetInsertPoint(behind ? behind->getIncomingBlock(use)->getTerminator() : user);
        use.set(builder.CreateLoad(next->getType(), place));
      }
    phi->eraseFromParent();
  }
  return memory;
}

struct JamPass : PassInfoMixin<JamPass> {
  explicit JamPass(const TargetMachine &host) : host(host) {}

  PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
    auto &loops = analyses.getResult<LoopAnalysis>(function);
    auto &evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
    auto &dominators = analyses.getResult<DominatorTreeAnalysis>(function);
    bool changed = false;
    for (Loop *threads : threadLoops(loops)) {
      Loop *inner = jammableLoop(*threads, evolution);
      if (inner && becomesStraight(*inner, evolution)) {
        addStringMetadataToLoop(inner, "llvm.loop.unroll.full");
        continue;
      }
      if (!inner || !threads->isLoopSimplifyForm() || !inner->isLoopSimplifyForm() ||
          threads->getExitingBlock() != threads->getLoopLatch() ||
          inner->getExitingBlock() != inner->getLoopLatch() ||
          !leadsThrough(*threads, *inner, dominators))
        continue;
      const bool isVector = isOfNeighbours(*threads, *inner, evolution);
      const unsigned vectors = isVector ? mostVectorsOf(function) : fewThreads;
      unsigned count = isVector ? threadsAtATime(*threads, *inner, vectors) : fewThreads;
      unsigned least = count / vectors;
      if (const unsigned together = threadsOfCall(*inner, host); isVector && together) {
        count = together;
        least = 2;
      }
      if (std::optional<uint32_t> line = knownLineLength(function)) // no more are there
        count = std::min(count, llvm::bit_floor(*line));
      if (count <= least)
        continue;
      threads->getLoopLatch()->getTerminator()->setMetadata(threadLoopMark, nullptr);
      const auto combined =
          combinedBehind(*threads, *inner, evolution).value_or(SmallVector<PHINode *, 2>());
      std::vector<AllocaInst *> memory = storeCombined(*threads, *inner, combined);
      countFromZero(*threads);
      evolution.forgetLoop(threads);
      changed |= jam(*threads, count, least, function, analyses);
      PromoteMemToReg(memory, dominators);
    }
    return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }

private:
  // Of 32 bytes; with AVX-512 there are 32 registers of 64.
  unsigned mostVectorsOf(const Function &function) const {
    const bool hasLong = host.getTargetTriple().isX86() &&
                         host.getSubtargetImpl(function)->checkFeatures("+avx512vl");
    return hasLong ? mostLongVectors : mostVectors;
  }

  const TargetMachine &host;
};

// Whether any thread runs the inner loop is the same for all: asked once before them. LLVM's pass
// for that does so only where few loops are beside the one over threads.
bool askBefore(Loop &threads, Loop &inner, LoopInfo &loops, DominatorTree &dominators) {
  BasicBlock *start = inner.getLoopPreheader();
  BasicBlock *asks = start ? start->getSinglePredecessor() : nullptr;
  auto *branch = asks ? conditionalBranch(asks->getTerminator()) : nullptr;
  if (!branch || !threads.contains(asks) || !threads.isLoopInvariant(branch->getCondition()) ||
      isa<Constant>(branch->getCondition()) || !readThreadLoop(threads).x ||
      !dominators.dominates(asks, threads.getLoopLatch()))
    return false;
  Value *condition = branch->getCondition();
  const bool runsIfTrue = branch->getSuccessor(0) == start;
  BasicBlock *before = threads.getLoopPreheader();
  BasicBlock *entry = SplitEdge(before, threads.getHeader(), &dominators, &loops);
  ValueToValueMapTy map;
  SmallVector<BasicBlock *, 8> made;
  Loop *without =
      cloneLoopWithPreheader(entry, before, &threads, map, ".without", &loops, &dominators, made);
  remapInstructionsInBlocks(made, map);
  LLVMContext &context = before->getContext();
  branch->setCondition(ConstantInt::getBool(context, runsIfTrue));
  cast<ConditionalBranch>(map.lookup(branch))
      ->setCondition(ConstantInt::getBool(context, !runsIfTrue));
  IRBuilder<> builder(before->getTerminator());
  BasicBlock *other = without->getLoopPreheader();
  builder.CreateCondBr(builder.CreateFreeze(condition), runsIfTrue ? entry : other,
                       runsIfTrue ? other : entry);
  before->getTerminator()->eraseFromParent();
  return true;
}

struct GuardPass : PassInfoMixin<GuardPass> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
    auto &loops = analyses.getResult<LoopAnalysis>(function);
    auto &evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
    auto &dominators = analyses.getResult<DominatorTreeAnalysis>(function);
    for (Loop *threads : threadLoops(loops))
      if (Loop *inner = jammableLoop(*threads, evolution);
          inner && !becomesStraight(*inner, evolution) &&
          askBefore(*threads, *inner, loops, dominators))
        return PreservedAnalyses::none(); // most kernels have one
    return PreservedAnalyses::all();
  }
};

// Before LICM exchanges terms of subscripts. What the loop vectoriser takes is as fast without.
struct WidenPass : PassInfoMixin<WidenPass> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
    auto &evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
    for (Loop *threads : threadLoops(analyses.getResult<LoopAnalysis>(function)))
      if (Loop *inner = jammableLoop(*threads, evolution);
          inner && !becomesStraight(*inner, evolution)) {
        widenSubscripts(function);
        return PreservedAnalyses::none();
      }
    return PreservedAnalyses::all();
  }
};

// The passes before it change other loops, too.
struct WhereLoopsAreJammed : PassInfoMixin<WhereLoopsAreJammed> {
  explicit WhereLoopsAreJammed(FunctionPassManager passes) : passes(std::move(passes)) {}

  PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
    if (hasOwnMemory(function))
      return PreservedAnalyses::all();
    auto &evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
    for (Loop *threads : threadLoops(analyses.getResult<LoopAnalysis>(function)))
      if (jammableLoop(*threads, evolution))
        return passes.run(function, analyses);
    return PreservedAnalyses::all();
  }

  FunctionPassManager passes;
};

} // namespace

void addJamPasses(FunctionPassManager &passes, const TargetMachine &host) {
  FunctionPassManager jam;
  LoopPassManager shape;
  shape.addPass(LoopRotatePass());
  shape.addPass(LICMPass(LICMOptions()));
  shape.addPass(SimpleLoopUnswitchPass(/*NonTrivial=*/true));
  jam.addPass(WidenPass());
  jam.addPass(createFunctionToLoopPassAdaptor(std::move(shape), /*UseMemorySSA=*/true));
  jam.addPass(GuardPass());
  jam.addPass(SimplifyCFGPass());
  jam.addPass(LoopSimplifyPass());
  jam.addPass(LCSSAPass());
  jam.addPass(JamPass(host));
  passes.addPass(WhereLoopsAreJammed(std::move(jam)));
}

} // namespace cufc
