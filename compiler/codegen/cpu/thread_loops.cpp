// A kernel's guard
//
//   i = (blockIdx%x - 1)*blockDim%x + threadIdx%x
//   if (i > 1 .and. i < n .and. j <= m) body
//
// leaves the loop over x as bounds (thread_bounds.h). Where first + x could leave its type, a copy
// of the loop as it was runs instead. Conditions in the midst of the body divide the loop
// (thread_splits.cpp). Threads of a block that do not synchronise run in any order (CUDA C++
// programming guide, "Thread Hierarchy"), so iterations are independent, apart from memory of their
// own.
#include "codegen/cpu/thread_loops.h"
#include "codegen/branches.h"
#include "codegen/cpu/cpu_forms.h"
#include "codegen/cpu/exchanged_values.h"
#include "codegen/cpu/full_lines.h"
#include "codegen/cpu/independent_accesses.h"
#include "codegen/cpu/index_ranges.h"
#include "codegen/cpu/kept_values.h"
#include "codegen/cpu/known_loops.h"
#include "codegen/cpu/line_remainders.h"
#include "codegen/cpu/loop_versions.h"
#include "codegen/cpu/narrow_subscripts.h"
#include "codegen/cpu/short_loops.h"
#include "codegen/cpu/small_switches.h"
#include "codegen/cpu/space_versions.h"
#include "codegen/cpu/thread_bounds.h"
#include "codegen/cpu/thread_columns.h"
#include "codegen/cpu/thread_jam.h"
#include "codegen/cpu/thread_lines.h"
#include "codegen/cpu/thread_order.h"
#include "codegen/cpu/thread_passes.h"
#include "codegen/cpu/thread_periods.h"
#include "codegen/cpu/wide_subscripts.h"
#include "codegen/pass_runner.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Scalar/DCE.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

namespace cufc {
namespace {

using namespace llvm;
using namespace llvm::PatternMatch;

// Rounds of a loop in steps whose loads come before their stores: a processor may let a load wait
// for the stores before it.
constexpr unsigned interleaved = 4;

constexpr int mostSegments = 2; // in each other: lines of a tile, and where they meet a grid's end

constexpr int mostSplits = 4; // of a loop, one for each condition

// A branch of the guard, with what remains of its condition.
struct Link {
  ConditionalBranch *branch;
  bool bodyIsTrue;
  std::vector<Value *> rest; // as written: to be negated where the body is the branch's other side
};

class ThreadLoop {
public:
  ThreadLoop(Loop &loop, LoopInfo &loops, DominatorTree &dominators, ScalarEvolution &evolution)
      : loop(loop), loops(loops), dominators(dominators), bounds(loop, evolution),
        header(*loop.getHeader()) {}

  bool run() {
    plain = readThreadLoop(loop);
    if (!plain.x)
      return false;
    markIndependentAccesses(loop);
    readGuard();
    if (!bounds.empty())
      narrow();
    return true;
  }

private:
  bool leadsPast(const BasicBlock *block) const {
    if (hasEffects(*plain.latch))
      return false; // the end of the body
    for (int steps = 0; steps < 4 && block != plain.latch; ++steps) {
      auto *branch = jump(&block->front());
      if (!branch || !loop.contains(block))
        return false;
      block = branch->getSuccessor(0);
    }
    return block == plain.latch && !isa<PHINode>(plain.latch->front());
  }

  static bool hasEffects(const BasicBlock &block) {
    for (const Instruction &instruction : block)
      if (!isa<NoAliasScopeDeclInst, LifetimeIntrinsic>(instruction) &&
          (instruction.mayHaveSideEffects() || instruction.isVolatile() || instruction.isAtomic()))
        return true;
    return false;
  }

  // From the start of the body through all branches that may lead past the rest of it.
  void readGuard() {
    for (BasicBlock *block = &header; block && loop.contains(block) && !hasEffects(*block);) {
      Instruction *end = block->getTerminator();
      if (!isBranch(*end) || block == plain.latch)
        return;
      BasicBlock *next = end->getSuccessor(0);
      if (auto *branch = conditionalBranch(end)) {
        bool trueIsPast = leadsPast(next), falseIsPast = leadsPast(branch->getSuccessor(1));
        if (trueIsPast == falseIsPast)
          return;
        Link link{branch, falseIsPast, {}};
        split(branch->getCondition(), link);
        links.push_back(std::move(link));
        next = branch->getSuccessor(trueIsPast);
      }
      block = next->getSinglePredecessor() ? next : nullptr;
    }
  }

  void split(Value *condition, Link &link) {
    Value *left, *right;
    if (link.bodyIsTrue ? match(condition, m_LogicalAnd(m_Value(left), m_Value(right)))
                        : match(condition, m_LogicalOr(m_Value(left), m_Value(right)))) {
      split(left, link);
      split(right, link);
    } else if (!bounds.add(condition, link.bodyIsTrue)) {
      link.rest.push_back(condition);
    }
  }

  void narrow() {
    ThreadBounds::Range range =
        bounds.range(*plain.preheader, plain.first(), plain.test->getOperand(1));
    separate(range.mayWrap, range.runs);
    IRBuilder<> builder(plain.preheader->getTerminator());
    if (match(plain.first(), m_NonNegative())) // for LLVM, which knows how many rounds at most then
      range.to = builder.CreateBinaryIntrinsic(Intrinsic::smax, range.to, builder.getInt64(0));
    plain.setFirst(builder.CreateTrunc(range.from, plain.x->getType()));
    plain.setEnd(builder.CreateTrunc(range.to, plain.x->getType()));
    if (auto *next = dyn_cast<OverflowingBinaryOperator>(plain.test->getOperand(0))) {
      cast<Instruction>(next)->setHasNoSignedWrap();
      cast<Instruction>(next)->setHasNoUnsignedWrap();
    }
    bounds.replaceIndices(plain);
    if (range.step)
      goBy(builder.CreateTrunc(range.step, plain.x->getType()));
    shortenGuard();
    if (bounds.leaveOne()) { // nothing to divide or to make vectors of
      plain.latch->getTerminator()->setMetadata(threadLoopMark, nullptr);
      addStringMetadataToLoop(&loop, "llvm.loop.vectorize.enable", 0);
      addStringMetadataToLoop(&loop, "llvm.loop.unroll.disable", 1);
    }
  }

  void goBy(Value *step) {
    IRBuilder<> builder(plain.test);
    Value *next = builder.CreateAdd(plain.x, step, "", /*HasNUW=*/true, /*HasNSW=*/true);
    plain.x->setIncomingValueForBlock(plain.latch, next);
    plain.test->setOperand(0, next);
    if (isa<ConstantInt>(step)) // LLVM knows what to do
      return;
    widenSubscripts(loop);
    addStringMetadataToLoop(&loop, "llvm.loop.vectorize.width", 1);
    addStringMetadataToLoop(&loop, "llvm.loop.interleave.count", interleaved);
  }

  // Before the loop: to the copy of the loop as it was, past the loop, or into it.
  void separate(Value *mayWrap, Value *runs) {
    BasicBlock *before = plain.preheader;
    plain.preheader = SplitEdge(before, &header, &dominators, &loops);
    BasicBlock *copy = nullptr;
    if (!match(mayWrap, m_Zero()))
      copy = copyAsWritten(loop, plain.preheader, before, loops, dominators);
    before->getTerminator()->eraseFromParent();
    IRBuilder<> builder(before);
    if (copy) {
      BasicBlock *inside =
          BasicBlock::Create(before->getContext(), "inside", before->getParent(), plain.preheader);
      builder.CreateCondBr(mayWrap, copy, inside);
      builder.SetInsertPoint(inside);
    }
    builder.CreateCondBr(runs, plain.preheader, plain.exit);
  }

  void shortenGuard() {
    for (Link &link : links) {
      IRBuilder<> builder(link.branch);
      Value *condition = builder.getInt1(link.bodyIsTrue);
      for (Value *part : link.rest)
        condition = link.bodyIsTrue ? builder.CreateLogicalAnd(condition, part)
                                    : builder.CreateLogicalOr(condition, part);
      link.branch->setCondition(condition);
    }
  }

  Loop &loop;
  LoopInfo &loops;
  DominatorTree &dominators;
  ThreadBounds bounds;
  BasicBlock &header;
  PlainThreadLoop plain;
  std::vector<Link> links;
};

std::vector<Instruction *> markedBranches(Function &function) {
  std::vector<Instruction *> marked;
  for (BasicBlock &block : function)
    if (block.getTerminator()->getMetadata(threadLoopMark))
      marked.push_back(block.getTerminator());
  return marked;
}

Loop *loopThatEndsAt(const Instruction &branch, const LoopInfo &loops) {
  Loop *loop = loops.getLoopFor(branch.getParent());
  return loop && loop->getLoopLatch() == branch.getParent() ? loop : nullptr;
}

// A kernel with barriers has several.
template <typename Shape>
PreservedAnalyses shapeLoops(Function &function, FunctionAnalysisManager &analyses, Shape shape) {
  bool changed = false;
  for (Instruction *branch : markedBranches(function)) {
    auto &loops = analyses.getResult<LoopAnalysis>(function);
    Loop *loop = loopThatEndsAt(*branch, loops);
    if (!loop || !shape(*loop, loops, analyses.getResult<DominatorTreeAnalysis>(function),
                        analyses.getResult<ScalarEvolutionAnalysis>(function)))
      continue;
    changed = true;
    analyses.invalidate(function, PreservedAnalyses::none());
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

struct ThreadLoopPass : PassInfoMixin<ThreadLoopPass> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
    return shapeLoops(function, analyses, [](Loop &loop, auto &...parts) {
      return !isChunkLoop(loop) && ThreadLoop(loop, parts...).run();
    });
  }
};

// What changes one loop over threads.
template <auto shape>
struct LoopPass : PassInfoMixin<LoopPass<shape>> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
    return shapeLoops(function, analyses, [](Loop &loop, auto &...parts) {
      return !isChunkLoop(loop) && shape(loop, parts...);
    });
  }
};

// And asks what accesses have to do with each other.
template <auto shape>
struct AliasPass : PassInfoMixin<AliasPass<shape>> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
    return shapeLoops(function, analyses, [&](Loop &loop, auto &...parts) {
      return !isChunkLoop(loop) && shape(loop, parts..., analyses.getResult<AAManager>(function));
    });
  }
};

// What scalar evolution has found is out of date when LICM has been there.
struct LinePass : PassInfoMixin<LinePass> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
    PreservedAnalyses kept =
        shapeLoops(function, analyses,
                   [](Loop &loop, LoopInfo &, DominatorTree &, ScalarEvolution &evolution) {
                     return !isChunkLoop(loop) && joinLines(loop, evolution);
                   });
    kept.abandon<ScalarEvolutionAnalysis>();
    return kept;
  }
};

struct KeptValuesPass : PassInfoMixin<KeptValuesPass> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
    return shapeLoops(
        function, analyses,
        [&](Loop &loop, LoopInfo &loops, DominatorTree &dominators, ScalarEvolution &) {
          return storeWhatChanges(loop, loops, dominators, analyses.getResult<AAManager>(function));
        });
  }
};

struct OrderPass : PassInfoMixin<OrderPass> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
    return shapeLoops(function, analyses, [](Loop &loop, auto &...) {
      return !isChunkLoop(loop) && putNeighboursInside(loop);
    });
  }
};

struct WidenPass : PassInfoMixin<WidenPass> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
    widenNeighbours(function, analyses.getResult<ScalarEvolutionAnalysis>(function));
    return PreservedAnalyses::none();
  }
};

struct RemainderPass : PassInfoMixin<RemainderPass> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
    return countRemainders(function, analyses.getResult<LoopAnalysis>(function),
                           analyses.getResult<ScalarEvolutionAnalysis>(function))
               ? PreservedAnalyses::none()
               : PreservedAnalyses::all();
  }
};

struct ChunkPass : PassInfoMixin<ChunkPass> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
    return shapeLoops(function, analyses, shapeChunkLoop);
  }
};

struct FullLinePass : PassInfoMixin<FullLinePass> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
    return shapeLoops(
        function, analyses,
        [](Loop &loop, LoopInfo &loops, DominatorTree &dominators, ScalarEvolution &) {
          return !isChunkLoop(loop) && divideFullLines(loop, loops, dominators);
        });
  }
};

// LICM gives what it has moved behind loops phis of one value, which hide what it is.
struct SinglePhiPass : PassInfoMixin<SinglePhiPass> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &) {
    bool changed = false;
    for (BasicBlock &block : function)
      changed |= block.getSinglePredecessor() && FoldSingleEntryPHINodes(&block);
    return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }
};

struct StridePass : PassInfoMixin<StridePass> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
    return shapeLoops(function, analyses, versionForContiguousArrays);
  }
};

struct SpacePass : PassInfoMixin<SpacePass> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
    return shapeLoops(function, analyses, versionForSpace);
  }
};

struct ExchangedValuesPass : PassInfoMixin<ExchangedValuesPass> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
    return shapeLoops(function, analyses,
                      [](Loop &loop, LoopInfo &, DominatorTree &, ScalarEvolution &evolution) {
                        return !isChunkLoop(loop) && storeExchanged(loop, evolution);
                      });
  }
};

template <bool shape(Loop &, LoopInfo &, DominatorTree &, AAResults &)>
struct WholeLoopPass : PassInfoMixin<WholeLoopPass<shape>> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
    return shapeLoops(
        function, analyses,
        [&](Loop &loop, LoopInfo &loops, DominatorTree &dominators, ScalarEvolution &) {
          return !isChunkLoop(loop) &&
                 shape(loop, loops, dominators, analyses.getResult<AAManager>(function));
        });
  }
};

struct NarrowSubscriptsPass : PassInfoMixin<NarrowSubscriptsPass> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
    leaveNarrowSubscripts(analyses.getResult<LoopAnalysis>(function));
    return PreservedAnalyses::all();
  }
};

// The passes take time where there is nothing to do.
struct ForBlockFunctions : PassInfoMixin<ForBlockFunctions> {
  explicit ForBlockFunctions(FunctionPassManager passes) : passes(std::move(passes)) {}

  PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
    if (markedBranches(function).empty())
      return PreservedAnalyses::all();
    return passes.run(function, analyses);
  }

  FunctionPassManager passes;
};

template <typename Pass>
void addStep(FunctionPassManager &passes, Pass pass) {
  passes.addPass(LoopSimplifyPass());
  passes.addPass(std::move(pass));
}

// Loops of the threads come around them, or get loops over threads of their own.
void addNests(FunctionPassManager &passes) {
  passes.addPass(LoopPass<copyForShortPeriods>());
  addStep(passes, LoopPass<divideAtMultiples>());
  addStep(passes, LoopPass<separateEqualRounds>());
  addStep(passes, AliasPass<putThreadsInside>());
  addSimplification(passes);
  passes.addPass(SinglePhiPass());
  addStep(passes, LoopPass<separateFromThreads>());
  addStep(passes, AliasPass<exchangeWithThreads>());
  addStep(passes, AliasPass<divideRareWork>());
  addSingleRounds(passes);
  for (int i = 0; i < 2; ++i) { // blocks that become empty, and the conditions that lead to them
    passes.addPass(DCEPass());
    addSimplification(passes);
  }
}

// Loops without the quotients, limits and conditions that keep LLVM from vectors.
void addDivisions(FunctionPassManager &passes) {
  for (int i = 0; i < mostSegments; ++i)
    addStep(passes, LoopPass<divideAtMultiples>());
  addStep(passes, RemainderPass());
  for (int i = 0; i < mostSplits; ++i) {
    addSimplification(passes);
    addStep(passes, LoopPass<splitThreadLoop>());
  }
  addStep(passes, LoopPass<divideAtClamps>());
  addSimplification(passes);
  passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  addStep(passes, WidenPass()); // neighbours that quotients hid
  passes.addPass(createFunctionToLoopPassAdaptor(LICMPass(LICMOptions()), /*UseMemorySSA=*/true));
  addStep(passes, WholeLoopPass<loadBeforeThreads>());
  passes.addPass(LoopSimplifyPass());
}

} // namespace

void markThreadLoop(Instruction &branch) {
  branch.setMetadata(threadLoopMark, MDNode::get(branch.getContext(), {}));
}

void markLineLoop(Instruction &branch) {
  branch.setMetadata(lineLoopMark, MDNode::get(branch.getContext(), {}));
}

void leaveThreadLoops(Function &function) {
  for (BasicBlock &block : function)
    block.getTerminator()->setMetadata(threadLoopMark, nullptr);
}

void shapeThreadLoops(Module &module, const TargetMachine &host) {
  runPasses(module, nullptr, {}, [&](PassBuilder &) {
    FunctionPassManager passes;
    passes.addPass(SROAPass(SROAOptions::ModifyCFG));
    passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
    passes.addPass(LoopSimplifyPass());
    addSimplification(passes);
    addUnrolling(passes);
    addStep(passes, IndexRangePass());
    passes.addPass(KeptValuesPass());
    passes.addPass(DCEPass());
    passes.addPass(LinePass());
    addSingleRounds(passes);
    passes.addPass(OrderPass());
    passes.addPass(ChunkPass());
    passes.addPass(WidenPass());
    passes.addPass(createFunctionToLoopPassAdaptor(LICMPass(LICMOptions()), /*UseMemorySSA=*/true));
    addNests(passes);
    addStep(passes, ThreadLoopPass());
    passes.addPass(EarlyCSEPass()); // bounds that are numbers
    addStep(passes, LoopPass<goByPairs>());
    addDivisions(passes);
    passes.addPass(ExchangedValuesPass());
    passes.addPass(WholeLoopPass<collectFlag>());
    passes.addPass(WholeLoopPass<findWinner>());
    passes.addPass(FullLinePass());
    passes.addPass(StridePass());
    passes.addPass(SpacePass());
    passes.addPass(LoopPass<levelRounds>());
    addJamPasses(passes, host);
    addColumnPasses(passes);
    addStep(passes, LoopPass<divideAtUpdates>());
    passes.addPass(NarrowSubscriptsPass());
    passes.addPass(KnownLoopPass());
    ModulePassManager all;
    all.addPass(createModuleToFunctionPassAdaptor(ForBlockFunctions(std::move(passes))));
    return all;
  });
}

} // namespace cufc
