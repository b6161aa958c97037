//   for x: for (i = first + x; i <= n; i += stride) body(i)
//
// becomes
//
//   for (base = first; base <= n; base += stride) for x: if (base + x <= n) body(base + x)
//
// Each thread does the same in the same order. Threads of a block that do not synchronise run in
// any order (CUDA C++ programming guide, "Thread Hierarchy"). Three forms of the inner loop are
// known: that of a DO statement, which counts down (n - i + stride)/stride, DO WHILE (i <= n), and
// that of a CUF kernel, which ends where n - i is not above the stride. For other strides a copy of
// the loops as they were runs.
//
// Where there are as many threads as the stride, or the stride is blockDim%x, all rounds together
// go from the first element to the last, one by one: that is the loop over x then, and runs once.
//
// Where nobody can tell which block does an element (grid_elements.h), each block does neighbours
// in place of every so manyth. Else what the next round reads is fetched into the cache.
//
// Sums and the like that a thread carries from round to round, and what it does behind its loop,
// come into loops of their own before (thread_values.h).
#include "codegen/branches.h"
#include "codegen/cpu/grid_elements.h"
#include "codegen/cpu/loop_versions.h"
#include "codegen/cpu/several_rounds.h"
#include "codegen/cpu/thread_bounds.h"
#include "codegen/cpu/thread_passes.h"
#include "codegen/cpu/thread_strips.h"
#include "codegen/cpu/thread_values.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"
#include <optional>

namespace cufc {
namespace {

using namespace llvm;
using namespace llvm::PatternMatch;

class StridedLoop {
public:
  StridedLoop(Loop &threads, LoopInfo &loops, DominatorTree &dominators, ScalarEvolution &evolution)
      : threads(threads), loops(loops), dominators(dominators), evolution(evolution),
        expander(evolution, "stride") {}

  bool exchange(AAResults &aliases) {
    if (!isStrided() || !carried.empty() || !restIsPure())
      return false;
    if (guard)
      grid = readGrid(*first, *stride);
    if (grid && (!isBefore(grid->block) || !isBefore(grid->threadCount) ||
                 !isBefore(grid->blockCount) || !elements().areIndependent(evolution, aliases)))
      grid.reset();
    if (guard)
      leastOfRow = elements().leastThreadsOfRow(evolution, aliases);
    rewrite();
    return true;
  }

  bool separate() {
    if (!isStrided() || (carried.empty() && restIsPure()))
      return false;
    if (!canSeparateRounds(threads, *inner, carried)) {
      if (!carryReals())
        return false;
      if (!canSeparateRounds(threads, *inner, carried))
        return true;
    }
    if (canLimitThreads(threads))
      limitThreads(threads, mostThreadsInRow, loops, dominators, evolution);
    separateRounds(threads, *inner, carried, loops, dominators);
    return true;
  }

private:
  bool isStrided() {
    if (!hasShape())
      return false;
    hoistInvariants();
    return readIndex() && nothingElseLeavesInner() && headerIsPure() &&
           (isDoLoop() || isWhileLoop() || isCufLoop()) && firstIsKnown();
  }

  bool hasShape() {
    before = threads.getLoopPreheader();
    exit = threads.getExitBlock();
    if (exit) // of loops around this one
      FoldSingleEntryPHINodes(exit);
    x = dyn_cast<PHINode>(&threads.getHeader()->front());
    if (!before || !exit || isa<PHINode>(exit->front()) || isUsedBehind(threads) || !x ||
        isa<PHINode>(x->getNextNode()) || !x->getType()->isIntegerTy(32) ||
        threads.getSubLoops().size() != 1)
      return false;
    inner = threads.getSubLoops().front();
    latch = inner->getLoopLatch();
    behind = inner->getExitBlock();
    if (behind)
      FoldSingleEntryPHINodes(behind);
    return latch && behind && inner->getLoopPreheader() && inner->getExitingBlock() &&
           threads.getExitingBlock() == threads.getLoopLatch();
  }

  // What LICM has found before loops were exchanged is not all.
  void hoistInvariants() {
    bool changed = false;
    for (BasicBlock *block : threads.blocks())
      if (!inner->contains(block))
        for (Instruction &instruction : make_early_inc_range(*block))
          threads.makeLoopInvariant(&instruction, changed, nullptr, nullptr, &evolution);
  }

  // What is before the inner loop is computed again for each element.
  bool restIsPure() const {
    for (BasicBlock *block : threads.blocks()) {
      if (inner->contains(block))
        continue;
      for (Instruction &instruction : *block)
        if (!isa<NoAliasScopeDeclInst, DbgInfoIntrinsic>(instruction) &&
            (instruction.mayReadOrWriteMemory() || instruction.mayHaveSideEffects()))
          return false;
    }
    return true;
  }

  // Has the inner loop carry what a thread computes before, which may be read from memory.
  bool carryReals() {
    SmallVector<Instruction *> values;
    for (BasicBlock *block : threads.blocks())
      if (!inner->contains(block))
        for (Instruction &instruction : *block)
          if (instruction.getType()->isFloatingPointTy() &&
              any_of(instruction.users(), [&](const User *user) {
                return inner->contains(cast<Instruction>(user)) &&
                       !is_contained(carried, dyn_cast<PHINode>(user));
              }))
            values.push_back(&instruction);
    for (Instruction *value : values) {
      PHINode *phi = PHINode::Create(value->getType(), 2, "", inner->getHeader()->begin());
      value->replaceUsesWithIf(phi, [&](const Use &use) {
        return inner->contains(cast<Instruction>(use.getUser())) &&
               !is_contained(carried, dyn_cast<PHINode>(use.getUser()));
      });
      phi->addIncoming(value, inner->getLoopPreheader());
      phi->addIncoming(phi, latch);
      carried.push_back(phi);
    }
    return !values.empty();
  }

  // Updates of different threads come in any order. Other atomic operations may wait for a thread.
  static bool waits(const Instruction &instruction) {
    auto *update = dyn_cast<AtomicRMWInst>(&instruction);
    return instruction.isAtomic() && (!update || update->getOperation() == AtomicRMWInst::Xchg);
  }

  // It runs once more than the rest of the loop.
  bool headerIsPure() const {
    return inner->getExitingBlock() == latch || none_of(*inner->getHeader(), [](Instruction &one) {
             return one.mayHaveSideEffects() && !isa<DbgInfoIntrinsic>(one);
           });
  }

  bool nothingElseLeavesInner() const {
    for (BasicBlock *block : inner->blocks())
      for (Instruction &instruction : *block) {
        if (isa<AllocaInst>(instruction) || waits(instruction) || instruction.isVolatile())
          return false;
        for (User *user : instruction.users())
          if (!inner->contains(cast<Instruction>(user)) && !is_contained(carried, &instruction))
            return false;
      }
    return true;
  }

  // The variable that goes up by the stride, and its value at first: first + x.
  bool readIndex() {
    for (PHINode &phi : inner->getHeader()->phis()) {
      Value *next = phi.getIncomingValueForBlock(latch), *step = nullptr;
      if (!index && phi.getType()->isIntegerTy(32) && startOf(phi) &&
          match(next, m_c_Add(m_Specific(&phi), m_Value(step))) && threads.isLoopInvariant(step)) {
        index = &phi;
        stride = step;
        start = startOf(phi);
      } else if (!count && phi.getType()->isIntegerTy(64) && goesDown(phi)) {
        count = &phi;
      } else {
        carried.push_back(&phi);
      }
    }
    return index;
  }

  bool goesDown(PHINode &phi) const {
    Value *left = phi.getIncomingValueForBlock(latch);
    return match(left, m_Add(m_Specific(&phi), m_AllOnes())) ||
           match(left, m_Sub(m_Specific(&phi), m_One()));
  }

  // Null if it does not go up by one from thread to thread.
  Instruction *startOf(PHINode &phi) {
    auto *value = dyn_cast<Instruction>(phi.getIncomingValueForBlock(inner->getLoopPreheader()));
    Value *wide = nullptr;
    if (value && match(value, m_Trunc(m_Value(wide))) && isa<Instruction>(wide))
      value = cast<Instruction>(wide);
    if (!value || !threads.contains(value) || inner->contains(value))
      return nullptr;
    auto *sum = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(value));
    return sum && sum->getLoop() == &threads ? value : nullptr;
  }

  bool firstIsKnown() {
    auto *sum = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(start));
    if (!sum || sum->getLoop() != &threads || !sum->isAffine() ||
        !sum->getStepRecurrence(evolution)->isOne() ||
        !expander.isSafeToExpandAt(sum->getStart(), before->getTerminator()))
      return false;
    first = sum->getStart();
    return true;
  }

  static bool isWidened(Value &wide, Value &narrow) {
    auto *number = dyn_cast<ConstantInt>(&wide), *same = dyn_cast<ConstantInt>(&narrow);
    return match(&wide, m_SExt(m_Specific(&narrow))) ||
           (number && same && number->getSExtValue() == same->getSExtValue());
  }

  bool isDoLoop() {
    auto *branch = conditionalBranch(inner->getHeader()->getTerminator());
    if (!count || inner->getExitingBlock() != inner->getHeader() || !branch ||
        branch->getSuccessor(1) != behind || !start->getType()->isIntegerTy(32))
      return false;
    Value *last = nullptr, *wideStride = nullptr, *divisor = nullptr;
    Value *times = count->getIncomingValueForBlock(inner->getLoopPreheader());
    if (!match(branch->getCondition(),
               m_SpecificICmp(ICmpInst::ICMP_SGT, m_Specific(count), m_Zero())))
      return false;
    auto *step = dyn_cast<ConstantInt>(stride);
    ConstantInt *sum = nullptr; // of the last number and the step
    if (step && match(times, m_SDiv(m_Sub(m_ConstantInt(sum), m_SExt(m_Specific(start))),
                                    m_SpecificInt(step->getSExtValue())))) {
      limit = ConstantInt::getSigned(sum->getType(), sum->getSExtValue() - step->getSExtValue());
      guard = branch;
      return true;
    }
    if (!match(times,
               m_SDiv(m_c_Add(m_Sub(m_Value(last), m_SExt(m_Specific(start))), m_Value(wideStride)),
                      m_Value(divisor))) ||
        wideStride != divisor || !isWidened(*wideStride, *stride) ||
        !(match(last, m_SExt(m_Value())) || isa<ConstantInt>(last)) ||
        !threads.isLoopInvariant(last) || !isBefore(last))
      return false;
    limit = last;
    guard = branch;
    return true;
  }

  bool isWhileLoop() {
    auto *branch = conditionalBranch(inner->getHeader()->getTerminator());
    if (count || inner->getExitingBlock() != inner->getHeader() || !branch ||
        branch->getSuccessor(1) != behind || !start->getType()->isIntegerTy(32))
      return false;
    Value *last = nullptr;
    CmpPredicate order;
    if (!match(branch->getCondition(), m_ICmp(order, m_Specific(index), m_Value(last))) ||
        (order != ICmpInst::ICMP_SLE && order != ICmpInst::ICMP_SLT) ||
        !threads.isLoopInvariant(last) || !isBefore(last))
      return false;
    below = order == ICmpInst::ICMP_SLT;
    narrowLimit = last;
    guard = branch;
    return true;
  }

  bool isBefore(Value *value) const {
    auto *instruction = dyn_cast<Instruction>(value);
    return !instruction || dominators.dominates(instruction, before->getTerminator());
  }

  bool isCufLoop() {
    auto *branch = conditionalBranch(latch->getTerminator());
    Value *end32 = nullptr;
    if (count || inner->getExitingBlock() != latch || !branch || start == x ||
        branch->getSuccessor(0) != inner->getHeader() || !start->getType()->isIntegerTy(64) ||
        !match(branch->getCondition(),
               m_SpecificICmp(ICmpInst::ICMP_UGT, m_Sub(m_Value(end32), m_Specific(index)),
                              m_Specific(stride))))
      return false;
    for (User *user : start->users()) {
      Value *end = nullptr;
      if (match(user, m_SpecificICmp(ICmpInst::ICMP_SLT, m_Specific(start), m_Value(end))) &&
          match(end32, m_Trunc(m_Specific(end))) && isBefore(end) && guardsInner(user)) {
        limit = end;
        return true;
      }
    }
    return false;
  }

  bool guardsInner(User *condition) const {
    for (User *user : condition->users()) {
      auto *branch = conditionalBranch(user);
      if (branch && threads.contains(branch) &&
          dominators.dominates(BasicBlockEdge(branch->getParent(), branch->getSuccessor(0)),
                               inner->getHeader()))
        return true;
    }
    return false;
  }

  void rewrite() {
    Value *firstNarrow = expander.expandCodeFor(first, start->getType(), before->getTerminator());
    BasicBlock *split = SplitEdge(before, threads.getHeader(), &dominators, &loops);
    BasicBlock *copy = copyAsWritten(threads, split, before, loops, dominators);
    IRBuilder<> builder(before->getTerminator());
    Value *lastOfRow = lastThread();
    Type *wide = builder.getInt64Ty();
    bool isDo = guard != nullptr;
    if (narrowLimit)
      limit = builder.CreateNSWSub(builder.CreateSExt(narrowLimit, wide),
                                   builder.getInt64(below ? 1 : 0));
    Rounds rounds{builder.CreateSExt(firstNarrow, wide),
                  isDo ? builder.CreateSExt(stride, wide) : builder.CreateZExt(stride, wide),
                  isDo ? builder.CreateNSWAdd(limit, builder.getInt64(1)) : limit};
    auto &[begin, step, end] = rounds;
    Value *fits = builder.CreateICmpSGT(step, builder.getInt64(0));
    if (narrowLimit) // or the variable goes round
      fits = builder.CreateAnd(fits, builder.CreateICmpSLE(builder.CreateNSWAdd(limit, step),
                                                           builder.getInt64(INT32_MAX)));
    if (!isDo) {
      fits = builder.CreateAnd(fits, builder.CreateICmpSGE(begin, builder.getInt64(0)));
      fits = builder.CreateAnd(fits, builder.CreateICmpSLE(end, builder.getInt64(INT32_MAX)));
    }
    for (BinaryOperator *sum : sumsThatMayWrap()) {
      auto *invariant = sum->getOperand(sum->getOperand(0) == index ? 1 : 0);
      Value *most = builder.CreateNSWAdd(
          builder.CreateSExt(invariant, wide),
          builder.CreateBinaryIntrinsic(Intrinsic::smin, end, builder.getInt64(INT32_MAX)));
      fits = builder.CreateAnd(fits, builder.CreateICmpSLE(most, builder.getInt64(INT32_MAX)));
      sum->setHasNoSignedWrap();
    }
    if (grid)
      rounds.takeChunk(*grid, builder);
    const PlainThreadLoop plain = readThreadLoop(threads);
    Value *elementsOfRow = nullptr;
    if (leastOfRow && plain.x && match(plain.first(), m_Zero()) &&
        isBefore(plain.test->getOperand(1)))
      elementsOfRow = rounds.join(*plain.test->getOperand(1), *leastOfRow, builder);
    BasicBlock *rows = BasicBlock::Create(before->getContext(), "rows", before->getParent(), split);
    before->getTerminator()->eraseFromParent();
    builder.SetInsertPoint(before);
    builder.CreateCondBr(fits, rows, copy);
    builder.SetInsertPoint(rows);
    PHINode *base = builder.CreatePHI(wide, 2, "base");
    base->addIncoming(begin, before);
    if (lastOfRow && !grid && !elementsOfRow && gainsFromSeveralRounds(elementLoop()))
      goSeveralRounds(*base, rounds, *lastOfRow, *split, builder);
    BasicBlock *entry =
        lastOfRow ? fetchAhead(elements(), *base, rounds, *lastOfRow, *split) : split;
    builder.CreateCondBr(builder.CreateICmpSLT(base, end), entry, exit);
    goRound(*base, step, rows);
    replaceStart(*base);
    runOnce();
    if (elementsOfRow) {
      plain.setEnd(elementsOfRow);
      evolution.forgetLoop(&threads);
    }
  }

  // lower + i, as a CUF kernel counts from 0: LLVM must know that it stays in its type in order to
  // see neighbours in a(lower + i). With i below the limit it does where the limit's sum does.
  std::vector<BinaryOperator *> sumsThatMayWrap() const {
    std::vector<BinaryOperator *> sums;
    for (User *user : index->users()) {
      auto *sum = dyn_cast<BinaryOperator>(user);
      Value *invariant = nullptr;
      if (!guard && sum && match(sum, m_c_Add(m_Specific(index), m_Value(invariant))) &&
          invariant != stride && threads.isLoopInvariant(invariant) && isBefore(invariant))
        sums.push_back(sum);
    }
    return sums;
  }

  // The number of the last thread, if that is known before the loops.
  Value *lastThread() {
    const SCEV *others = evolution.getBackedgeTakenCount(&threads);
    Instruction *place = before->getTerminator();
    if (isa<SCEVCouldNotCompute>(others) || !expander.isSafeToExpandAt(others, place))
      return nullptr;
    Value *last = expander.expandCodeFor(others, others->getType(), place);
    return IRBuilder<>(place).CreateZExtOrTrunc(last, Type::getInt64Ty(place->getContext()));
  }

  ElementLoop elementLoop() const { return {threads, *inner, *x, *index, count, *start, guard}; }

  // Where all threads have so many rounds, before it is asked whether there is another one.
  void goSeveralRounds(PHINode &base, const Rounds &rounds, Value &last, BasicBlock &preheader,
                       IRBuilder<> &builder) {
    BasicBlock *rows = base.getParent();
    LLVMContext &context = rows->getContext();
    BasicBlock *next = BasicBlock::Create(context, "next", rows->getParent(), exit);
    BasicBlock *others = BasicBlock::Create(context, "others", rows->getParent(), next);
    BasicBlock *several =
        copyForSeveralRounds(elementLoop(), base, preheader, *before, *next, loops, dominators);
    Value *distance = builder.CreateNSWMul(rounds.step, builder.getInt64(severalRounds - 1));
    Value *furthest = builder.CreateNSWAdd(builder.CreateNSWAdd(&base, distance), &last);
    builder.CreateCondBr(builder.CreateICmpSLT(furthest, rounds.end), several, others);
    builder.SetInsertPoint(next);
    Value *step = builder.CreateNSWMul(rounds.step, builder.getInt64(severalRounds));
    base.addIncoming(builder.CreateNSWAdd(&base, step), next);
    builder.CreateBr(rows);
    builder.SetInsertPoint(others);
  }

  // Behind the threads to the next base.
  void goRound(PHINode &base, Value *step, BasicBlock *rows) {
    BasicBlock *next = BasicBlock::Create(rows->getContext(), "next", rows->getParent(), exit);
    threads.getLoopLatch()->getTerminator()->replaceSuccessorWith(exit, next);
    IRBuilder<> builder(next);
    base.addIncoming(builder.CreateNSWAdd(&base, step), next);
    builder.CreateBr(rows);
  }

  void replaceStart(Value &base) {
    IRBuilder<> builder(threads.getHeader(), threads.getHeader()->getFirstInsertionPt());
    Value *offset = builder.CreateZExt(x, builder.getInt64Ty());
    Value *element = builder.CreateAdd(&base, offset, "", /*HasNUW=*/false, /*HasNSW=*/true);
    // A sum in 32 bits, of which scalar evolution sees that it goes up by one and does not wrap.
    Value *narrowBase = IRBuilder<>(threads.getLoopPreheader()->getTerminator())
                            .CreateTrunc(&base, x->getType(), "", /*IsNUW=*/false, /*IsNSW=*/true);
    Value *narrow = builder.CreateNSWAdd(narrowBase, x);
    index->replaceAllUsesWith(narrow);
    if (!guard)
      return start->replaceAllUsesWith(element);
    builder.SetInsertPoint(guard);
    guard->setCondition(builder.CreateICmpSLE(element, limit));
  }

  void runOnce() {
    for (PHINode *phi : {index, count})
      if (phi) {
        phi->replaceAllUsesWith(PoisonValue::get(phi->getType())); // of what counts alone
        phi->eraseFromParent();
      }
    latch->getTerminator()->eraseFromParent();
    Jump::Create(behind, latch);
  }

  GridLoop elements() const { return {threads, *inner, *index, count, *before, dominators}; }

  Loop &threads;
  LoopInfo &loops;
  DominatorTree &dominators;
  ScalarEvolution &evolution;
  SCEVExpander expander;
  Loop *inner = nullptr;
  BasicBlock *before = nullptr, *exit = nullptr, *latch = nullptr, *behind = nullptr;
  PHINode *x = nullptr, *index = nullptr, *count = nullptr;
  Instruction *start = nullptr; // first + x, of 32 or 64 bits
  Value *stride = nullptr, *limit = nullptr;
  const SCEV *first = nullptr;
  ConditionalBranch *guard = nullptr; // of a DO statement's loop
  Value *narrowLimit = nullptr;       // of DO WHILE, as it is written
  std::optional<GridElements> grid;   // where each block takes neighbours
  std::optional<int64_t> leastOfRow;  // threads with which rounds may be joined
  bool below = false;                 // which the variable does not reach
  SmallVector<PHINode *, 4> carried;  // from round to round, apart from index and count
};

} // namespace

bool exchangeWithThreads(Loop &threads, LoopInfo &loops, DominatorTree &dominators,
                         ScalarEvolution &evolution, AAResults &aliases) {
  return StridedLoop(threads, loops, dominators, evolution).exchange(aliases);
}

bool separateFromThreads(Loop &threads, LoopInfo &loops, DominatorTree &dominators,
                         ScalarEvolution &evolution) {
  return StridedLoop(threads, loops, dominators, evolution).separate();
}

} // namespace cufc
