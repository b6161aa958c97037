// A kernel's guard
//
//   i = (blockIdx%x - 1)*blockDim%x + threadIdx%x
//   if (i > 1 .and. i < n .and. j <= m) body
//
// leaves the loop over x as bounds: with i = first + x, the body runs for x from
// max(0, 2 - first) to min(blockDim%x, n - first), and for no x where j > m. That is right while
// first + x does not leave its type; where it could, a copy of the loop as it was runs instead.
// Threads of a block that do not synchronise run in any order (CUDA C++ programming guide,
// "Thread Hierarchy"), so iterations are independent, apart from memory of their own.
#include "codegen/thread_loops.h"
#include "codegen/cpu_forms.h"
#include "codegen/independent_accesses.h"
#include "codegen/loop_versions.h"
#include "codegen/narrow_subscripts.h"
#include "codegen/pass_runner.h"
#include "codegen/thread_jam.h"
#include "codegen/thread_strides.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

namespace cufc {
namespace {

using namespace llvm;
using namespace llvm::PatternMatch;

// The part of the guard that bounds x: first + x compared with a limit.
struct Bound {
  Value *index; // first + x in the loop
  const SCEV *first, *limit;
  ICmpInst::Predicate predicate;
  bool mayWrap;
};

// What of the guard is the same for all x.
struct Condition {
  const SCEV *left, *right;
  ICmpInst::Predicate predicate;
};

// A branch of the guard, with what remains of its condition.
struct Link {
  BranchInst *branch;
  bool bodyIsTrue;
  std::vector<Value *> rest; // as written: to be negated where the body is the branch's other side
};

class ThreadLoop {
public:
  ThreadLoop(Loop &loop, LoopInfo &loops, DominatorTree &dominators, ScalarEvolution &evolution)
      : loop(loop), loops(loops), dominators(dominators), evolution(evolution),
        expander(evolution, "thread"), header(*loop.getHeader()) {}

  bool run() {
    if (!isPlain())
      return false;
    markIndependentAccesses(loop);
    readGuard();
    if (!bounds.empty() || !conditions.empty())
      narrow();
    return true;
  }

private:
  // As makeBlockFunction writes it: do ... while (x + 1 < size).
  bool isPlain() {
    preheader = loop.getLoopPreheader();
    latch = loop.getLoopLatch();
    exit = loop.getExitBlock();
    if (!preheader || !latch || !exit || !dropPhis(*exit))
      return false;
    end = dyn_cast<BranchInst>(latch->getTerminator());
    if (!end || !end->isConditional() || end->getSuccessor(0) != &header)
      return false;
    test = dyn_cast<ICmpInst>(end->getCondition());
    if (!test || test->getPredicate() != ICmpInst::ICMP_SLT || !test->hasOneUse())
      return false;
    x = dyn_cast<PHINode>(&header.front());
    return x && x->getType()->isIntegerTy(32) && !isa<PHINode>(x->getNextNode()) &&
           x->getIncomingValueForBlock(latch) == test->getOperand(0) &&
           match(x->getIncomingValueForBlock(preheader), m_Zero()) &&
           loop.isLoopInvariant(test->getOperand(1));
  }

  // Nothing that the loop computes is used behind it: phis there only pass on what is older.
  bool dropPhis(BasicBlock &behind) {
    for (PHINode &phi : make_early_inc_range(behind.phis())) {
      Value *value = phi.hasConstantValue();
      if (!value || !loop.isLoopInvariant(value))
        return false;
      phi.replaceAllUsesWith(value);
      phi.eraseFromParent();
    }
    return true;
  }

  bool leadsPast(const BasicBlock *block) const {
    if (hasEffects(*latch))
      return false; // the end of the body
    for (int steps = 0; steps < 4 && block != latch; ++steps) {
      auto *branch = dyn_cast<BranchInst>(&*block->instructionsWithoutDebug().begin());
      if (!branch || branch->isConditional() || !loop.contains(block))
        return false;
      block = branch->getSuccessor(0);
    }
    return block == latch && !isa<PHINode>(latch->front());
  }

  static bool hasEffects(const BasicBlock &block) {
    for (const Instruction &instruction : block)
      if (!isa<NoAliasScopeDeclInst>(instruction) &&
          (instruction.mayHaveSideEffects() || instruction.isVolatile() || instruction.isAtomic()))
        return true;
    return false;
  }

  // From the start of the body through all branches that may lead past the rest of it.
  void readGuard() {
    for (BasicBlock *block = &header; block && loop.contains(block) && !hasEffects(*block);) {
      auto *branch = dyn_cast<BranchInst>(block->getTerminator());
      if (!branch || block == latch)
        return;
      BasicBlock *next = branch->getSuccessor(0);
      if (branch->isConditional()) {
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
    } else if (!becomesBound(condition, link.bodyIsTrue)) {
      link.rest.push_back(condition);
    }
  }

  bool isKnownBefore(const SCEV *value) {
    return evolution.isLoopInvariant(value, &loop) &&
           expander.isSafeToExpandAt(value, preheader->getTerminator());
  }

  bool becomesBound(Value *condition, bool bodyIsTrue) {
    auto *compare = dyn_cast<ICmpInst>(condition);
    if (!compare || !compare->getOperand(0)->getType()->isIntegerTy())
      return false;
    Value *index = compare->getOperand(0);
    const SCEV *left = evolution.getSCEV(index), *right = evolution.getSCEV(compare->getOperand(1));
    ICmpInst::Predicate predicate =
        bodyIsTrue ? compare->getPredicate() : compare->getInversePredicate();
    if (isKnownBefore(left) && isKnownBefore(right)) {
      conditions.push_back({left, right, predicate});
      return true;
    }
    if (!isa<SCEVAddRecExpr>(left)) {
      std::swap(left, right);
      index = compare->getOperand(1);
      predicate = ICmpInst::getSwappedPredicate(predicate);
    }
    auto *sum = dyn_cast<SCEVAddRecExpr>(left);
    unsigned bits = index->getType()->getIntegerBitWidth();
    bool isOrder = ICmpInst::isSigned(predicate) || predicate == ICmpInst::ICMP_EQ;
    if (!sum || sum->getLoop() != &loop || !sum->isAffine() || (bits != 32 && bits != 64) ||
        !isOrder || !sum->getStepRecurrence(evolution)->isOne() ||
        !isKnownBefore(sum->getStart()) || !isKnownBefore(right))
      return false;
    bounds.push_back({index, sum->getStart(), right, predicate, !sum->hasNoSignedWrap()});
    return true;
  }

  Value *expand(const SCEV *value) {
    return expander.expandCodeFor(value, value->getType(), preheader->getTerminator());
  }

  static Value *least(IRBuilder<> &builder, Value *a, Value *b) {
    return builder.CreateBinaryIntrinsic(Intrinsic::smin, a, b);
  }
  static Value *greatest(IRBuilder<> &builder, Value *a, Value *b) {
    return builder.CreateBinaryIntrinsic(Intrinsic::smax, a, b);
  }

  // Narrows from..to by one bound; returns whether first + x might leave its type.
  Value *apply(IRBuilder<> &builder, const Bound &bound, Value *first, Value *&from, Value *&to) {
    Type *wide = builder.getInt64Ty();
    Value *start = builder.CreateSExt(first, wide);
    Value *limit = builder.CreateSExt(expand(bound.limit), wide);
    Value *at = builder.CreateBinaryIntrinsic(Intrinsic::ssub_sat, limit, start);
    Value *after = builder.CreateBinaryIntrinsic(Intrinsic::sadd_sat, at, builder.getInt64(1));
    using Predicate = ICmpInst::Predicate;
    if (bound.predicate == Predicate::ICMP_SLT)
      to = least(builder, to, at);
    if (bound.predicate == Predicate::ICMP_SLE || bound.predicate == Predicate::ICMP_EQ)
      to = least(builder, to, after);
    if (bound.predicate == Predicate::ICMP_SGE || bound.predicate == Predicate::ICMP_EQ)
      from = greatest(builder, from, at);
    if (bound.predicate == Predicate::ICMP_SGT)
      from = greatest(builder, from, after);
    if (!bound.mayWrap)
      return builder.getFalse();
    unsigned bits = bound.index->getType()->getIntegerBitWidth();
    Value *room = builder.CreateBinaryIntrinsic(
        Intrinsic::ssub_sat, builder.getInt64(APInt::getSignedMaxValue(bits).getSExtValue()),
        start);
    return builder.CreateICmpSLT(room, count);
  }

  void narrow() {
    for (const Bound &bound : bounds)
      firsts.push_back(expand(bound.first));
    IRBuilder<> builder(preheader->getTerminator());
    Type *wide = builder.getInt64Ty();
    count = builder.CreateSExt(test->getOperand(1), wide);
    Value *from = builder.getInt64(0), *to = count, *mayWrap = builder.getFalse();
    for (size_t i = 0; i < bounds.size(); ++i) {
      builder.SetInsertPoint(preheader->getTerminator());
      mayWrap = builder.CreateOr(mayWrap, apply(builder, bounds[i], firsts[i], from, to));
    }
    Value *runs = builder.getTrue();
    for (const Condition &condition : conditions) {
      Value *left = expand(condition.left), *right = expand(condition.right);
      builder.SetInsertPoint(preheader->getTerminator());
      runs = builder.CreateAnd(runs, builder.CreateICmp(condition.predicate, left, right));
    }
    runs = builder.CreateAnd(runs, builder.CreateICmpSLT(from, to));
    separate(mayWrap, runs);
    builder.SetInsertPoint(preheader->getTerminator());
    x->setIncomingValueForBlock(preheader, builder.CreateTrunc(from, x->getType()));
    test->setOperand(1, builder.CreateTrunc(to, x->getType()));
    if (auto *next = dyn_cast<OverflowingBinaryOperator>(test->getOperand(0))) {
      cast<Instruction>(next)->setHasNoSignedWrap();
      cast<Instruction>(next)->setHasNoUnsignedWrap();
    }
    replaceIndices();
    shortenGuard();
  }

  // Before the loop: to the copy of the loop as it was, past the loop, or into it.
  void separate(Value *mayWrap, Value *runs) {
    BasicBlock *before = preheader;
    preheader = SplitEdge(before, &header, &dominators, &loops);
    BasicBlock *copy = nullptr;
    if (!match(mayWrap, m_Zero()))
      copy = copyAsWritten(loop, preheader, before, loops, dominators);
    before->getTerminator()->eraseFromParent();
    IRBuilder<> builder(before);
    if (copy) {
      BasicBlock *inside =
          BasicBlock::Create(before->getContext(), "inside", before->getParent(), preheader);
      builder.CreateCondBr(mayWrap, copy, inside);
      builder.SetInsertPoint(inside);
    }
    builder.CreateCondBr(runs, preheader, exit);
  }

  // In these bounds the sums stay in their types.
  void replaceIndices() {
    IRBuilder<> builder(&header, header.getFirstInsertionPt());
    for (size_t i = 0; i < bounds.size(); ++i) {
      auto *index = dyn_cast<Instruction>(bounds[i].index);
      if (!index || index == x || index->use_empty())
        continue;
      Value *offset = builder.CreateZExt(x, index->getType());
      Value *sum = builder.CreateAdd(firsts[i], offset, "", /*HasNUW=*/false, /*HasNSW=*/true);
      index->replaceAllUsesWith(sum);
      if (sum->getType()->isIntegerTy(64))
        for (User *user : make_early_inc_range(sum->users()))
          if (auto *narrow = dyn_cast<TruncInst>(user);
              narrow && narrow->hasNoSignedWrap() && narrow->getType()->isIntegerTy(32))
            widen(*narrow, sum);
      if (sum->getType()->isIntegerTy(32) && isa<Instruction>(sum)) {
        Value *wideFirst = builder.CreateSExt(firsts[i], builder.getInt64Ty());
        Value *wideOffset = builder.CreateZExt(x, builder.getInt64Ty());
        widen(*cast<Instruction>(sum), builder.CreateNSWAdd(wideFirst, wideOffset));
      }
    }
  }

  // Subscripts are computed in 32 bits and then extended, which LLVM does not see to go up by one.
  void widen(Instruction &narrow, Value *wide) {
    for (User *user : make_early_inc_range(narrow.users())) {
      auto *result = cast<Instruction>(user);
      if (isa<SExtInst>(result) && result->getType() == wide->getType()) {
        result->replaceAllUsesWith(wide);
        result->eraseFromParent();
        continue;
      }
      auto *sum = dyn_cast<OverflowingBinaryOperator>(result);
      if (!sum || !sum->hasNoSignedWrap() || result->getOpcode() == Instruction::Shl ||
          !loop.contains(result))
        continue;
      unsigned place = result->getOperand(0) == &narrow ? 0 : 1;
      if (!loop.isLoopInvariant(result->getOperand(1 - place)))
        continue;
      IRBuilder<> builder(result->getNextNode());
      Value *parts[2];
      parts[place] = wide;
      parts[1 - place] = builder.CreateSExt(result->getOperand(1 - place), wide->getType());
      auto operation = static_cast<Instruction::BinaryOps>(result->getOpcode());
      auto *same = BinaryOperator::Create(operation, parts[0], parts[1]);
      builder.Insert(same);
      same->setHasNoSignedWrap();
      widen(*result, same);
    }
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
  ScalarEvolution &evolution;
  SCEVExpander expander;
  BasicBlock &header;
  BasicBlock *preheader = nullptr, *latch = nullptr, *exit = nullptr;
  BranchInst *end = nullptr;
  ICmpInst *test = nullptr;
  PHINode *x = nullptr;
  Value *count = nullptr;
  std::vector<Bound> bounds;
  std::vector<Value *> firsts;
  std::vector<Condition> conditions;
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

struct ExchangePass : PassInfoMixin<ExchangePass> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
    return shapeLoops(function, analyses, [](Loop &loop, auto &...parts) {
      return !isChunkLoop(loop) && exchangeWithThreads(loop, parts...);
    });
  }
};

struct SeparatePass : PassInfoMixin<SeparatePass> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
    return shapeLoops(function, analyses, [](Loop &loop, auto &...parts) {
      return !isChunkLoop(loop) && separateFromThreads(loop, parts...);
    });
  }
};

struct ChunkPass : PassInfoMixin<ChunkPass> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
    return shapeLoops(function, analyses, shapeChunkLoop);
  }
};

struct StridePass : PassInfoMixin<StridePass> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
    return shapeLoops(function, analyses, versionForContiguousArrays);
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

} // namespace

void markThreadLoop(Instruction &branch) {
  branch.setMetadata(threadLoopMark, MDNode::get(branch.getContext(), {}));
}

void leaveThreadLoops(Function &function) {
  for (BasicBlock &block : function)
    block.getTerminator()->setMetadata(threadLoopMark, nullptr);
}

void shapeThreadLoops(Module &module) {
  runPasses(module, nullptr, {}, [](PassBuilder &) {
    FunctionPassManager passes;
    passes.addPass(SROAPass(SROAOptions::ModifyCFG));
    passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
    passes.addPass(SimplifyCFGPass());
    passes.addPass(LoopSimplifyPass());
    passes.addPass(ChunkPass());
    passes.addPass(createFunctionToLoopPassAdaptor(LICMPass(LICMOptions()), /*UseMemorySSA=*/true));
    passes.addPass(SeparatePass());
    passes.addPass(LoopSimplifyPass());
    passes.addPass(ExchangePass());
    passes.addPass(LoopSimplifyPass());
    passes.addPass(ThreadLoopPass());
    passes.addPass(SimplifyCFGPass());
    passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
    passes.addPass(createFunctionToLoopPassAdaptor(LICMPass(LICMOptions()), /*UseMemorySSA=*/true));
    passes.addPass(StridePass());
    addJamPasses(passes);
    passes.addPass(NarrowSubscriptsPass());
    ModulePassManager all;
    all.addPass(createModuleToFunctionPassAdaptor(ForBlockFunctions(std::move(passes))));
    return all;
  });
}

} // namespace cufc
